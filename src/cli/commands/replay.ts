import { statSync } from 'node:fs'
import { ValueError } from '@temporalio/common'
import { Argument, Command } from 'commander'
import { AgentClient } from '../../client/agent-client.js'
import type { ListedRun, ListOptions } from '../../client/list-runs.js'
import { modelConfig } from '../../config.js'
import { fetchHistory } from '../../replay/fetch-history.js'
import { readHistory } from '../../replay/parse-history.js'
import {
  type ReplayOptions,
  type RunReplay,
  replayRequest,
  replayRun,
} from '../../replay/replay-run.js'
import { createReplayer } from '../../replay/replayer.js'
import type { RunHistory } from '../../replay/run-history.js'
import { EXIT } from '../exit-codes.js'
import { loadAgents } from '../load-agents.js'
import { loadDataConverter } from '../load-data-converter.js'
import {
  agentsOption,
  connectOptions,
  dataConverterOption,
  jsonOption,
  positiveInteger,
  type ServerOptions,
  sinceOption,
  withServerOptions,
} from '../options.js'
import { printReplay, printSteps } from '../print-replay.js'
import { silenceTemporal } from '../quiet.js'
import { printSummary, replayMany, summaryOf } from '../replay-many.js'
import { json, line, type Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'

interface ReplayCommandOptions extends ServerOptions {
  readonly agents?: string
  readonly step?: number
  readonly prompt?: boolean
  readonly schema: 'full' | 'simple'
  readonly stream: boolean
  readonly all?: boolean
  readonly agent?: string
  readonly query?: string
  readonly since?: Date
  readonly dataConverter?: string
  readonly json?: boolean
}

interface Call {
  readonly options: ReplayCommandOptions
  readonly terminal: Terminal
}

const HELP = `
Reads a history and runs it through today's workflow code: no model and no tool is called, nothing is
changed. A file needs no server: of perdure export, of "temporal workflow show --output json", or of the
Temporal UI's download.

  perdure replay ticket-42 --agents agents.ts         the run, why it ended, what has changed since
  perdure replay ticket-42 --step 3 --prompt          the request of step 3, for curl
  perdure replay --all --since 7d                     the gate before a deployment

Exit code: 0 deterministic · 1 diverged, or could not be read · 2 bad call`

/** `perdure replay <run>…` */
export function replayCommand(terminal: Terminal): Command {
  return withServerOptions(new Command('replay'))
    .description("run recorded histories through today's workflow code, and tell why runs ended")
    .addArgument(new Argument('[run...]', 'workflow ids, or files of histories'))
    .addOption(agentsOption())
    .option('--step <n>', 'one step only', positiveInteger)
    .option('--prompt', 'with --step: the body of the request that its model got, as JSON')
    .option('--schema <form>', "with --prompt: 'simple' where the model is set so", 'full')
    .option('--no-stream', 'with --prompt: where the model is set so')
    .option('--all', 'runs of the server, with a summary')
    .option('--agent <name>', 'with --all: runs of this agent only')
    .option('--query <filter>', `with --all: list filter, such as "PerdureStopReason = 'repeats'"`)
    .addOption(sinceOption())
    .addOption(dataConverterOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (runs: string[], options: ReplayCommandOptions) => {
      silenceTemporal()
      const call = { options, terminal }
      check(runs, options)
      if (options.all) process.exitCode = await replayAll(call)
      else if (options.prompt) await printPrompt(runs[0] ?? '', call)
      else process.exitCode = await replayRuns(runs, call)
    })
}

function check(runs: readonly string[], { all, step, prompt }: ReplayCommandOptions): void {
  if (all && runs.length > 0) throw new UsageError('Give runs or --all, not both.')
  if (!all && runs.length === 0) throw new UsageError('Give the id of a run, a file, or --all.')
  if (prompt && step === undefined) throw new UsageError('--prompt needs --step <n>.')
  if (step !== undefined && runs.length !== 1) throw new UsageError('--step needs one run.')
}

async function replayRuns(runs: readonly string[], call: Call): Promise<number> {
  const replays: RunReplay[] = []
  await withReplayer(call, async (options) => {
    for (const run of runs) {
      const replay = await replayRun(await historyOf(run, call), options)
      const chosen = { ...replay, steps: chosenSteps(replay, call.options) }
      replays.push(chosen)
      if (!call.options.json) print(chosen, replays.length, call)
    }
  })
  if (call.options.json) json(call.terminal.out, replays.length === 1 ? replays[0] : replays)
  const isGood = replays.every(({ verdict }) => verdict.kind === 'deterministic')
  return isGood ? EXIT.answered : EXIT.failed
}

function chosenSteps({ steps }: RunReplay, { step }: ReplayCommandOptions): RunReplay['steps'] {
  if (step === undefined) return steps
  const found = steps.filter((one) => one.step === step)
  if (found.length > 0) return found
  throw new UsageError(`The run has ${steps.length} steps, and no step ${step}.`)
}

function print(replay: RunReplay, count: number, { options, terminal: { out, err } }: Call): void {
  if (count > 1) line(out)
  if (options.step === undefined) printReplay(out, replay)
  else printSteps(out, replay, { full: true })
  if (options.agents === undefined || replay.drift !== null) return
  line(err, `${options.agents} has no agent "${replay.agent}": its definition was not compared`)
}

async function replayAll(call: Call): Promise<number> {
  const { out } = call.terminal
  const { agent, query, since, json: asJson } = call.options
  const client = await connect(call)
  try {
    const ids: string[] = []
    const filter = {
      ...(agent === undefined ? {} : { agent }),
      ...(query === undefined ? {} : { query }),
      ...(since === undefined ? {} : { since }),
    }
    for await (const { id } of listed(client, filter)) ids.push(id)
    const runs = await withReplayer(call, (options) =>
      replayMany(client, ids, { options, terminal: call.terminal }),
    )
    const summary = summaryOf(runs)
    if (asJson) json(out, { ...summary, replays: runs.map(short) })
    else printSummary(out, runs)
    return summary.diverged + summary.unreadable === 0 ? EXIT.answered : EXIT.failed
  } finally {
    await client.close()
  }
}

/** The list of runs holds their memos, which are encoded too. */
async function* listed(client: AgentClient, filter: ListOptions): AsyncGenerator<ListedRun, void> {
  try {
    yield* client.list(filter)
  } catch (cause) {
    if (!(cause instanceof ValueError)) throw cause
    throw new UsageError(`${cause.message}: give the workers' --data-converter <module>.`, {
      cause,
    })
  }
}

/** Without the steps: of many runs nobody reads them. */
function short(run: Awaited<ReturnType<typeof replayMany>>[number]) {
  if (!('replay' in run)) return run
  const { steps, asides: _, end, question: __, ...rest } = run.replay
  return { ...rest, steps: steps.length, end: { reason: end.reason, text: end.text } }
}

async function printPrompt(run: string, call: Call): Promise<void> {
  const { step = 1, schema, stream, dataConverter } = call.options
  const history = await historyOf(run, call)
  const converter = await converterOf(dataConverter)
  json(
    call.terminal.out,
    await replayRequest(history, { step, schema, stream, dataConverter: converter }),
  )
}

async function withReplayer<T>(
  { options: { agents: file, dataConverter: converter } }: Call,
  work: (options: ReplayOptions) => Promise<T>,
): Promise<T> {
  const agents = file === undefined ? undefined : await loadAgents(file)
  const dataConverter = await converterOf(converter)
  const replayer = createReplayer({ dataConverter })
  const { model } = modelConfig()
  const modelName = (name: string) => model ?? name
  try {
    return await work({ agents, dataConverter, modelName, replayer })
  } finally {
    await replayer.close()
  }
}

/** A run is a file where there is one of that name. */
async function historyOf(run: string, call: Call): Promise<RunHistory> {
  if (statSync(run, { throwIfNoEntry: false })?.isFile()) return await readHistory(run)
  const client = await connect(call)
  try {
    return await fetchHistory(client.client, run)
  } finally {
    await client.close()
  }
}

async function connect({ options }: Call): Promise<AgentClient> {
  const dataConverter = await converterOf(options.dataConverter)
  return await AgentClient.connect({
    ...connectOptions(options),
    ...(dataConverter === undefined ? {} : { dataConverter }),
  })
}

async function converterOf(file: string | undefined) {
  return file === undefined ? undefined : await loadDataConverter(file)
}
