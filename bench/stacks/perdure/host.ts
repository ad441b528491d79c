import { NativeConnection } from '@temporalio/worker'
import type { TokenizerName } from '../../../src/worker.js'
import { createWorker } from '../../built-package.js'
import { hostWorker } from '../../worker-host.js'
import { WORKER_OPTIONS } from '../../worker-options.js'
import { agents } from './agents.js'
import { countingModel, zeroLatencyModel } from './model.js'

/** Runs a worker of the built package, as its users do: with the workflow bundle that ships. */
export async function hostPerdure(tokenizer: TokenizerName): Promise<void> {
  await hostWorker(async ({ address, taskQueue }) =>
    createWorker({
      agents,
      models: { 'zero-latency': zeroLatencyModel, counting: countingModel },
      tokenizer,
      connection: await NativeConnection.connect({ address }),
      namespace: 'default',
      taskQueue,
      worker: WORKER_OPTIONS,
    }),
  )
}
