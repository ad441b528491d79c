// The inside of a worker process. Knows no package: the peers have their own Temporal SDK.
import { notes } from './worker-notes.js'

/** Where a worker works; given as arguments of its process. */
export interface Place {
  readonly address: string
  readonly taskQueue: string
}

/** What a worker process tells of itself. */
export interface Usage {
  /** CPU time of all its threads since its start, in milliseconds. */
  readonly cpuMs: number
  readonly rssBytes: number
  /** The page that its model asked for last. */
  readonly lastPage: number
  /** Tokens of the largest prompt, where its model counts them; else 0. */
  readonly largestPrompt: number
}

/** What a worker process says: once when it polls, then whenever it is asked for its usage. */
export type WorkerMessage = 'ready' | Usage

interface RunnableWorker {
  run(): Promise<void>
  shutdown(): void
}

/** Runs a worker until the channel to the benchmark closes. */
export async function hostWorker(create: (place: Place) => Promise<RunnableWorker>): Promise<void> {
  const [address = '', taskQueue = ''] = process.argv.slice(2)
  const worker = await create({ address, taskQueue })
  process.on('message', () => say(usage()))
  process.once('disconnect', () => worker.shutdown())
  const running = worker.run()
  say('ready')
  await running
  // A connection may be left open; nothing of it is needed.
  process.exit()
}

function usage(): Usage {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1_000, rssBytes: process.memoryUsage.rss(), ...notes }
}

function say(message: WorkerMessage): void {
  process.send?.(message)
}
