import { Client, Connection } from '@temporalio/client'
import { AgentClient } from '../src/client.js'
import { serverConfig } from '../src/config.js'
import { startDevServer } from '../src/testing/index.js'
import type { Effort } from './scenarios/scenario.js'
import { type RunningStack, runningStack } from './stacks/running-stack.js'
import type { Stack } from './stacks/stack.js'
import { startWorkerProcess, type WorkerProcess } from './worker-process.js'
import { readPages } from './workload.js'

/** What scenarios measure on: a tuned dev server, and workers as they are asked for. */
export interface Stage {
  readonly effort: Effort
  /** False: stacks that need the packages in `bench/peers` are left out. */
  readonly hasPeers: boolean
  readonly log: (line: string) => void
  /** `host:port` of the server. */
  readonly address: string
  readonly client: Client
  /** A stack, warm; its worker is started for the first scenario that asks, and stays. */
  running(stack: Stack): Promise<RunningStack>
  /** A stack with a new worker of its own, cold; the caller stops it. */
  fresh(stack: Stack): Promise<RunningStack & { stop(): Promise<void> }>
  /** Stops the workers that are up, for a scenario that wants the machine for itself. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** Starts the server; `close` stops all that was started. */
export async function openStage({
  effort,
  hasPeers,
  log,
}: Pick<Stage, 'effort' | 'hasPeers' | 'log'>): Promise<Stage> {
  const { path, dir } = serverConfig()
  const server = await startDevServer({ path, dir, headless: true, log })
  const { address } = server
  const connection = await Connection.connect({ address })
  const client = new Client({ connection })
  const workers = new Map<string, { process: WorkerProcess; taskQueue: string }>()
  const warm = new Set<string>()
  let started = 0

  const start = async ({ name, worker }: Stack) => {
    log(`${name}: worker starts`)
    started++
    const taskQueue = `bench-${started}`
    return { taskQueue, process: await startWorkerProcess(worker, { address, taskQueue }) }
  }
  const onWorker = async (stack: Stack, worker: { process: WorkerProcess; taskQueue: string }) => {
    const { taskQueue } = worker
    const agents = await AgentClient.connect({ client, taskQueue })
    return runningStack(stack, { client, agents, taskQueue, worker: worker.process })
  }
  const clear = async () => {
    await Promise.all([...workers.values()].map((worker) => worker.process.stop()))
    workers.clear()
    warm.clear()
  }
  return {
    effort,
    hasPeers,
    log,
    address,
    client,
    running: async (stack) => {
      const key = stack.worker.href
      const worker = workers.get(key) ?? (await start(stack))
      workers.set(key, worker)
      const running = await onWorker(stack, worker)
      const isWarm = warm.has(stack.isSlow ? key : stack.name)
      if (!isWarm) await warmUp(running, effort)
      warm.add(key).add(stack.name)
      return running
    },
    fresh: async (stack) => {
      const worker = await start(stack)
      return { ...(await onWorker(stack, worker)), stop: worker.process.stop }
    },
    clear,
    close: async () => {
      await clear()
      await connection.close()
      await server.kill()
    },
  }
}

/** Runs a stack until its code is compiled and its caches are filled. */
async function warmUp(stack: RunningStack, effort: Effort): Promise<void> {
  const steps = effort === 'full' ? 50 : 10
  for (let turn = 0; turn < 2; turn++) {
    await stack.run(readPages(steps))
    await Promise.all(Array.from({ length: 10 }, () => stack.run(readPages(10))))
  }
}
