import type { Found } from './finding.js'

/** Waits below which nothing can be said. */
const MIN_WAITS = 20
/**
 * Milliseconds that three of four tasks start within. Measured: 2 to 4 on a tuned server, 16 with one busy
 * run on an untuned one, 44 with three (docs/operate.md).
 */
const SLOW_MS = 15
/** From here on it is not the rate of the server: no worker was free. */
const STARVED_MS = 250

/**
 * Tells from the waits of tasks, in milliseconds, whether a server hands them out at once.
 *
 * @param source where they were read, such as "3 runs"
 */
export function judgeWaits(waits: readonly number[], source: string): Found {
  if (waits.length < MIN_WAITS) {
    const text = `it shows in the histories of runs, and there are too few: ${waits.length} tasks in ${source}`
    return { status: 'skip', text, fix: 'look again after a few runs' }
  }
  const sorted = waits.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  const most = sorted[Math.floor(sorted.length * 0.75)] ?? 0
  const text = `a task waits ${median.toFixed(0)} ms to be started, three of four at most ${most.toFixed(0)} ms (${waits.length} tasks in ${source})`
  if (most < SLOW_MS) return { status: 'ok', text }
  return { status: 'warn', text, fix: most < STARVED_MS ? TUNE : ADD_WORKERS }
}

const TUNE =
  'a tuned server takes below 5 ms. Set history.transferProcessorMaxPollRPS to 2000 in its dynamic configuration (its 20 is 50 ms for every task), and before 1.32 also system.enableActivityEagerExecution to true; if both are set, the workers or the database are slow'
const ADD_WORKERS = 'no worker was free for so long: add workers, or look at what keeps them busy'
