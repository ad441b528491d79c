import { fileURLToPath } from 'node:url'
import { NativeConnection, Worker } from '@temporalio/worker'
import { hostWorker } from '../../worker-host.js'
import { WORKER_OPTIONS } from '../../worker-options.js'
import * as activities from './activities.js'

await hostWorker(async ({ address, taskQueue }) =>
  Worker.create({
    ...WORKER_OPTIONS,
    connection: await NativeConnection.connect({ address }),
    taskQueue,
    workflowsPath: fileURLToPath(new URL('./workflow.ts', import.meta.url)),
    activities,
  }),
)
