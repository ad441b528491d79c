import { randomUUID } from 'node:crypto'
import { NativeConnection } from '@temporalio/worker'
import { inject, onTestFinished } from 'vitest'
import { AgentClient } from '../../src/client/agent-client.js'
import type { Agent } from '../../src/definition/define-agent.js'
import type { Model } from '../../src/models/model.js'
import { openAIModel } from '../../src/models/openai.js'
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../../src/testing/index.js'
import { type AgentWorker, createWorker } from '../../src/worker/create-worker.js'
import type { RunWorkerOptions } from '../../src/worker/worker-options.js'

import { installQuietRuntime } from './quiet-runtime.js'

/** A worker in this process, told to stop at the end of the test. */
interface RunningWorker extends AgentWorker {
  /** Stops the worker; resolves when it has. */
  stop(): Promise<void>
}

/** Everything that a run needs, on a task queue of its own. */
export interface Harness {
  readonly client: AgentClient
  readonly model: ModelServer
  readonly taskQueue: string
  /** One more worker on the same queue. */
  startWorker(options?: Partial<RunWorkerOptions>): Promise<RunningWorker>
}

/** What `startHarness` takes: the agents, what the model says, and options of the first worker. */
export type HarnessOptions = ModelServerOptions & {
  readonly agents: readonly Agent[]
  readonly worker?: Partial<RunWorkerOptions>
  /** Makes the workers' model of the model server's URL. @default openAIModel with that URL */
  readonly makeModel?: (baseURL: string) => Model
  /** False: no worker is started. @default true */
  readonly withWorker?: boolean
  /** A server of the test's own. @default the shared one */
  readonly address?: string
}

/** A model server, a client and a worker for one test; all are ended when it is finished. */
export async function startHarness(options: HarnessOptions): Promise<Harness> {
  installQuietRuntime()
  const { address: shared, uiUrl, bundle } = inject('temporal')
  const address = options.address ?? shared
  const taskQueue = `test-${randomUUID()}`
  const model = await startModelServer(options)
  onTestFinished(() => model.close())
  const client = await AgentClient.connect({
    address,
    taskQueue,
    ...(uiUrl === null ? {} : { uiUrl }),
  })
  onTestFinished(() => client.close())
  const makeModel = options.makeModel ?? ((baseURL) => openAIModel({ baseURL }))
  const startWorker: Harness['startWorker'] = async (more = {}) => {
    const connection = more.connection ?? (await NativeConnection.connect({ address }))
    const worker = await createWorker({
      agents: options.agents,
      model: makeModel(model.url),
      taskQueue,
      connection,
      heartbeatTimeout: '2s',
      stickyQueueScheduleToStartTimeout: '1s',
      shutdownGraceTime: '1s',
      ...options.worker,
      ...more,
      worker: { workflowBundle: { codePath: bundle }, ...options.worker?.worker, ...more.worker },
    })
    const running = worker.run()
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= (async () => {
        worker.shutdown()
        await running
        if (more.connection === undefined) await connection.close()
      })()
      return stopped
    }
    onTestFinished(stop)
    return { ...worker, stop }
  }
  if (options.withWorker !== false) await startWorker()
  return { client, model, taskQueue, startWorker }
}
