import { fileURLToPath } from 'node:url'
import { OpenAIAgentsPlugin } from '@temporalio/openai-agents'
import { NativeConnection, Worker } from '@temporalio/worker'
import { hostWorker } from '../../worker-host.js'
import { WORKER_OPTIONS } from '../../worker-options.js'
import * as activities from './activities.js'
import { zeroLatencyProvider } from './model.js'

await hostWorker(async ({ address, taskQueue }) =>
  Worker.create({
    ...WORKER_OPTIONS,
    connection: await NativeConnection.connect({ address }),
    taskQueue,
    workflowsPath: fileURLToPath(new URL('./workflow.ts', import.meta.url)),
    activities,
    plugins: [new OpenAIAgentsPlugin({ modelProvider: zeroLatencyProvider })],
    bundlerOptions: {
      // Its dynamic imports would make chunks, which the sandbox cannot load: the worker would not start.
      webpackConfigHook: (config) => ({
        ...config,
        module: {
          ...config.module,
          parser: { ...config.module?.parser, javascript: { dynamicImportMode: 'eager' } },
        },
      }),
    },
  }),
)
