import { NativeConnection } from '@temporalio/worker'
import { createWorker } from '../../../src/worker.js'
import { hostWorker } from '../../worker-host.js'
import { WORKER_OPTIONS } from '../../worker-options.js'
import { reader } from './agent.js'
import { zeroLatencyModel } from './model.js'

await hostWorker(async ({ address, taskQueue }) =>
  createWorker({
    agents: [reader],
    models: { 'zero-latency': zeroLatencyModel },
    connection: await NativeConnection.connect({ address }),
    namespace: 'default',
    taskQueue,
    worker: WORKER_OPTIONS,
  }),
)
