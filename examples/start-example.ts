import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { devSession } from '../src/cli/dev-session.js'
import { exitWhenWritten } from '../src/cli/exit.js'
import { exitCodeOfError } from '../src/cli/exit-codes.js'
import { line, styled } from '../src/cli/terminal.js'
import { modelConfig } from '../src/config.js'
import { type Respond, startModelServer } from '../src/testing/index.js'
import { placeOf, settingsFromEnv } from './database/database.js'

/** An example that asks one agent one question, as a customer of the shop. */
export interface Example {
  /** What starts it, such as `npm start`. */
  readonly command: string
  /** The module that exports the agent. */
  readonly agents: URL
  /** The agent, and the folder of its embedded database. */
  readonly agent: string
  /** Asked when the command line has none. */
  readonly question: string
  /** The model where none is configured. */
  readonly standIn: Respond
  /** What has to be there before the worker starts; `say` tells how it goes. @default nothing */
  readonly prepare?: (say: (what: string, text: string) => void) => Promise<void>
}

/** The main function of an example: runs it with the arguments of this process, and ends the process. */
export async function startExample(example: Example): Promise<void> {
  try {
    process.exitCode = await start(example)
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = exitCodeOfError(error)
  }
  await exitWhenWritten({ out: process.stdout, err: process.stderr })
}

/** The parts: a stand-in for the model where none is configured, then a dev session. */
async function start(example: Example): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      customer: { type: 'string', default: 'c7' },
      once: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(`${help(example)}\n`)
    return 0
  }
  say('database', placeOf(settingsFromEnv(example.agent)))
  await example.prepare?.(say)
  const standIn = await startStandIn(example)
  try {
    return await devSession({
      agents: fileURLToPath(example.agents),
      run: {
        agent: example.agent,
        input: positionals.join(' ') || example.question,
        context: { customerId: values.customer },
      },
      once: values.once || !process.stdout.isTTY || !process.stdin.isTTY,
      ...(standIn === undefined ? {} : { workerEnv: { OPENAI_BASE_URL: standIn.url } }),
      terminal: { out: process.stdout, err: process.stderr },
    })
  } finally {
    await standIn?.close()
  }
}

async function startStandIn({ standIn }: Example) {
  const { apiKey, baseURL } = modelConfig()
  if (apiKey !== undefined || baseURL !== undefined) return undefined
  say('model', 'no OPENAI_API_KEY or OPENAI_BASE_URL: a rule-based stand-in, no language model')
  return await startModelServer({ respond: standIn })
}

function help({ command, agent }: Example): string {
  return `${command} -- [question] [--customer <id>] [--once]

Starts a Temporal server and a worker, and asks the ${agent} agent one question. On a terminal
everything stays up for the Temporal UI until Ctrl-C.

  --customer <id>  who is asking (default: c7)
  --once           stop everything after the run

The model: OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL; without them a rule-based stand-in that
comes with this example.`
}

function say(what: string, text: string): void {
  line(process.stderr, `${styled(process.stderr, 'dim', what.padEnd(9))} ${text}`)
}
