import type { Payload, PayloadCodec } from '@temporalio/common'
import { expect, inject, onTestFinished, test } from 'vitest'
import { AgentClient } from '../../src/client.js'
import { callTool, hang, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { historyText } from '../kit/history-text.js'

const ENCODING = 'test/flipped'

/** A codec that is no cipher, but leaves nothing readable: each byte of the data is flipped. */
const flip: PayloadCodec = {
  encode: async (payloads) =>
    payloads.map(({ metadata, data }) => ({
      metadata: {
        encoding: Buffer.from(ENCODING),
        original: metadata?.['encoding'] ?? Buffer.of(),
      },
      data: flipped(data),
    })),
  decode: async (payloads) =>
    payloads.map((payload) =>
      Buffer.from(payload.metadata?.['encoding'] ?? []).toString() === ENCODING
        ? {
            metadata: { encoding: payload.metadata?.['original'] ?? Buffer.of() },
            data: flipped(payload.data),
          }
        : payload,
    ),
}

function flipped(data: Payload['data']): Uint8Array {
  return (data ?? new Uint8Array()).map((byte) => byte ^ 0xff)
}

test('with a codec on both sides a run works, cold cache too, and its history holds no plain text', async () => {
  const dataConverter = { payloadCodecs: [flip] }
  const { taskQueue, model, startWorker } = await startHarness({
    agents: [testAgent()],
    script: [callTool('lookup', { id: 'SECRET-1' }), hang(), say('SECRET-2'), say('SECRET-4')],
    worker: { dataConverter },
    withWorker: false,
  })
  const { address } = inject('temporal')
  const client = await AgentClient.connect({ address, taskQueue, dataConverter })
  onTestFinished(() => client.close())
  const first = await startWorker()
  const run = await client.start('test-agent', { input: 'SECRET-0', context: { a: 'SECRET-3' } })
  await model.waitFor(2)
  await first.stop()
  await startWorker()
  expect(await run.result()).toMatchObject({ answer: 'SECRET-2' })
  expect((await run.steps())[0]?.calls[0]).toMatchObject({ args: { id: 'SECRET-1' } })
  const again = await client.start('test-agent', {
    input: 'SECRET-0',
    context: { a: 'SECRET-3' },
    id: run.id,
  })
  expect(again.attached).toBe(true)
  const fork = await client.fork(run.id, { step: 2, observations: { '1.1': 'SECRET-5' } })
  expect(await fork.result()).toMatchObject({ answer: 'SECRET-4' })
  const forked = await client.client.workflow.getHandle(fork.id).fetchHistory()
  expect(historyText(forked.events)).not.toContain('SECRET')
  const { events } = await client.client.workflow.getHandle(run.id).fetchHistory()
  // What the UI must be able to show stays readable: summaries, and search attributes.
  const payloads = historyText(events?.map(({ userMetadata: _, ...event }) => event))
  expect(payloads).toContain('test-agent')
  expect(payloads).not.toContain('SECRET')
})
