import { expect, it } from 'vitest'
import { defineRemoteTool } from '../../../src/definition/define-remote-tool.js'
import { rejectOwnQueue } from '../../../src/worker/reject-own-queue.js'
import { agentWith, lookup } from '../activities/sample.js'

const stock = defineRemoteTool({
  name: 'stock',
  description: 'Use when the test says so.',
  inputSchema: { type: 'object' },
  taskQueue: 'warehouse',
  activityType: 'CheckStock',
})
const agents = [agentWith({ tools: [lookup, stock] })]

it("a remote tool on the worker's own queue is refused, and what to do is told", () => {
  expect(() => rejectOwnQueue(agents, 'warehouse', { stock: () => 1 })).toThrow(
    expect.objectContaining({
      name: 'DefinitionError',
      message: expect.stringMatching(/^tool "stock": its task queue "warehouse".*queue of its own/),
    }),
  )
})

it.each([
  ['on another queue', 'perdure', undefined],
  ['whose activity this worker has', 'warehouse', { CheckStock: () => 1 }],
])('a remote tool %s is fine', (_what, taskQueue, own) => {
  expect(() => rejectOwnQueue(agents, taskQueue, own)).not.toThrow()
})
