import type { AgentClient } from '../client/agent-client.js'
import { fetchHistory } from '../replay/fetch-history.js'
import { type ReplayOptions, type RunReplay, replayRun } from '../replay/replay-run.js'
import { printVerdict } from './print-replay.js'
import { startProgress } from './progress.js'
import { line, styled, type Terminal } from './terminal.js'

/** What became of one run of many. */
export type ReplayedRun =
  | { readonly id: string; readonly replay: RunReplay }
  /** It could not be read. */
  | { readonly id: string; readonly error: { readonly name: string; readonly message: string } }

/** What many replays come to. */
export interface ReplaySummary {
  readonly runs: number
  readonly deterministic: number
  /** Runs that today's code does not make, or throws at. */
  readonly diverged: number
  readonly unreadable: number
  /** Runs whose agent's definition differs today. */
  readonly drifted: number
}

/** Replays runs of a server, one after the other, with a bar on terminals; each that fails is told at once. */
export async function replayMany(
  client: AgentClient,
  ids: readonly string[],
  { options, terminal }: { readonly options: ReplayOptions; readonly terminal: Terminal },
): Promise<ReplayedRun[]> {
  const { err } = terminal
  const progress = startProgress(err, ids.length)
  const done: ReplayedRun[] = []
  progress.show(0, '')
  for (const id of ids) {
    const run = await replayOne(client, id, options)
    done.push(run)
    if (!isGood(run)) {
      progress.end()
      printFailure(err, run)
    }
    progress.show(done.length, id)
  }
  progress.end()
  return done
}

async function replayOne(
  client: AgentClient,
  id: string,
  options: ReplayOptions,
): Promise<ReplayedRun> {
  try {
    return { id, replay: await replayRun(await fetchHistory(client.client, id), options) }
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    return { id, error: { name, message } }
  }
}

/** What a list of replays comes to. */
export function summaryOf(runs: readonly ReplayedRun[]): ReplaySummary {
  const replays = runs.flatMap((run) => ('replay' in run ? [run.replay] : []))
  const deterministic = replays.filter(({ verdict }) => verdict.kind === 'deterministic').length
  return {
    runs: runs.length,
    deterministic,
    diverged: replays.length - deterministic,
    unreadable: runs.length - replays.length,
    drifted: replays.filter(({ drift }) => drift !== null && drift.length > 0).length,
  }
}

/** Prints the summary, and in what the definitions of the runs differ today. */
export function printSummary(stream: NodeJS.WriteStream, runs: readonly ReplayedRun[]): void {
  const { deterministic, diverged, unreadable, drifted } = summaryOf(runs)
  const isClean = diverged + unreadable === 0
  const figures = [
    `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`,
    `${deterministic} deterministic`,
    `${diverged} diverged`,
    ...(unreadable === 0 ? [] : [`${unreadable} not read`]),
  ]
  line(stream, styled(stream, isClean ? 'green' : 'red', figures.join(' · ')))
  if (drifted === 0) return
  line(stream, `${drifted} of another definition than today's: ${driftedPaths(runs).join(', ')}`)
}

/** Which parts of definitions differ, and in how many runs. */
function driftedPaths(runs: readonly ReplayedRun[]): string[] {
  const counts = new Map<string, number>()
  for (const run of runs) {
    const drift = 'replay' in run ? (run.replay.drift ?? []) : []
    const parts = new Set(drift.map(({ path }) => path.split('.').slice(0, 2).join('.')))
    for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([part, n]) => `${part} (${n})`)
}

function isGood(run: ReplayedRun): boolean {
  return 'replay' in run && run.replay.verdict.kind === 'deterministic'
}

function printFailure(stream: NodeJS.WriteStream, run: ReplayedRun): void {
  line(stream, styled(stream, 'bold', run.id))
  if ('replay' in run) printVerdict(stream, run.replay)
  else line(stream, styled(stream, 'red', run.error.message))
}
