import { type Command, InvalidArgumentError, Option } from 'commander'
import { isObject, type JsonObject } from '../contract/json.js'
import { milliseconds } from '../definition/duration.js'

/** Options of every command that talks to Temporal. */
export interface ServerOptions {
  readonly address?: string
  readonly namespace?: string
  readonly profile?: string
  readonly taskQueue?: string
  readonly environment?: boolean
}

/** Adds the options of {@link ServerOptions}. */
export function withServerOptions(command: Command): Command {
  return command
    .option(
      '--address <host:port>',
      'Temporal server (default: TEMPORAL_ADDRESS or the TOML profile)',
    )
    .option('--namespace <name>', 'Temporal namespace (default: TEMPORAL_NAMESPACE or the profile)')
    .option('--profile <name>', 'profile of the Temporal TOML configuration')
    .option('--no-environment', "read neither Temporal's environment variables nor its TOML file")
    .option(
      '--task-queue <name>',
      'task queue of the workers (default: PERDURE_TASK_QUEUE or "perdure")',
    )
}

/** `--agents <file>`. */
export function agentsOption(): Option {
  return new Option('--agents <file>', 'module whose exports are agents')
}

/** `--context <json>`: a JSON object. */
export function contextOption(): Option {
  return new Option('--context <json>', 'who is asking, as a JSON object').argParser(jsonObject)
}

/** `--data-converter <file>`. */
export function dataConverterOption(): Option {
  return new Option(
    '--data-converter <file>',
    'module that exports the data converter of the workers, where they have one',
  )
}

/** `--json`. */
export function jsonOption(): Option {
  return new Option('--json', 'one JSON document on stdout, nothing else there')
}

/** `--since <age>`: a point in time, told as an age. */
export function sinceOption(): Option {
  return new Option('--since <age>', 'runs that started since then: 90m, 12h, 7d').argParser(
    timeAgo,
  )
}

/** The time that is so long ago. */
export function timeAgo(age: string): Date {
  try {
    // A number alone would be milliseconds.
    if (!/^\s*\d+\s*$/.test(age)) return new Date(Date.now() - milliseconds(age as Age, '--since'))
  } catch {
    // Told below, in the words of this option.
  }
  throw new InvalidArgumentError('Give an age, such as 90m, 12h or 7d.')
}

/** Anything: what is no duration is refused. */
type Age = Exclude<Parameters<typeof milliseconds>[0], number>

/** A JSON object from the command line. */
export function jsonObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Told below: both are the caller's mistake.
  }
  throw new InvalidArgumentError(`Give a JSON object, such as '{"customerId":"c7"}'.`)
}

/** A whole number above 0 from the command line. */
export function positiveInteger(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new InvalidArgumentError('Give a whole number above 0.')
}

/** What `AgentClient.connect` takes of the options. */
export function connectOptions(options: ServerOptions): ServerOptions {
  const { address, namespace, profile, taskQueue, environment } = options
  return {
    ...(environment === false ? { environment } : {}),
    ...(address === undefined ? {} : { address }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(profile === undefined ? {} : { profile }),
    ...(taskQueue === undefined ? {} : { taskQueue }),
  }
}
