import { expect, test } from 'vitest'
import { z } from 'zod'
import type { HistoryEvent } from '../../src/client/history/read-events.js'
import { defineTool } from '../../src/index.js'
import { callTool, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { historyText } from '../kit/history-text.js'
import { startOwnServer } from '../kit/own-server.js'
import { openStage } from './kit.js'

const SECRETS = ['4111-1111', 'hunter2', 'tok_live_77']

const pay = defineTool({
  name: 'pay',
  description: 'Use when something has to be paid.',
  input: z.looseObject({ n: z.number() }),
  sensitive: ['number', 'password', 'tokens'],
  execute: ({ n }) => `paid ${n}`,
})

/** Arguments that would be unreadable, or must not be read, on a timeline. */
const ARGS = [
  { note: 'x'.repeat(50_000) },
  { card: { number: '4111-1111' } },
  { list: [{ password: 'hunter2' }, { password: ['hunter2'] }] },
  { tokens: { a: ['tok_live_77'], b: { c: 'tok_live_77' } } },
  { text: 'line one\nline two\r\n\ttabbed | piped `ticked`' },
  { ...Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key${i}`, i])) },
  { deep: { deep: { deep: { deep: { number: '4111-1111' } } } } },
  { emoji: '😀'.repeat(500) },
  { ['k'.repeat(5_000)]: 1 },
  { empty: {}, none: null, list: [] },
]

function summaries(events: readonly HistoryEvent[]): string[] {
  return events
    .filter((event) => event.activityTaskScheduledEventAttributes)
    .map((event) => JSON.parse(Buffer.from(event.userMetadata?.summary?.data ?? '').toString()))
}

test('B38 · a server without our search attributes; short summaries without secrets', async () => {
  const server = await startOwnServer({ searchAttributes: {} })
  const agents = [testAgent({ tools: [pay], limits: { maxSteps: 40 }, memory: 'none' })]
  const stage = await openStage({ agents, address: server.address })
  const { result, events, run } = await stage.play({
    respond: (_, { index }) =>
      index < 30 ? callTool('pay', { n: index, ...ARGS[index % ARGS.length] }) : say('done'),
  })
  expect(result).toMatchObject({ stopReason: 'answered', steps: 31 })
  const lines = summaries(events)
  expect(lines).toHaveLength(61)
  expect(new Set(lines).size).toBe(61)
  for (const [i, line] of lines.entries()) {
    expect(line).toMatch(new RegExp(`^step ${Math.floor(i / 2) + 1} · `))
    expect(line.length).toBeLessThanOrEqual(200)
    expect(line).not.toMatch(/[\n\r]/)
    expect(line.isWellFormed()).toBe(true)
    for (const secret of SECRETS) expect(line).not.toContain(secret)
  }
  const handle = stage.client.client.workflow.getHandle(run.id)
  const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')
  for (const secret of SECRETS) expect(metadata.currentDetails).not.toContain(secret)
  expect(metadata.currentDetails).toContain('| 31\u2003 | answer |')
  // The arguments themselves are in the history: only a codec hides them there.
  expect(historyText(events)).toContain('hunter2')
  const listed = []
  for await (const one of stage.client.list()) listed.push(one.id)
  expect(listed).toEqual([run.id])
})

test('B38 · attributes of another type are left out, and so is nothing else', async () => {
  const searchAttributes = { PerdureAgent: 'Int', PerdureModel: 'Text', PerdureSteps: 'Int' }
  const server = await startOwnServer({ searchAttributes })
  const stage = await openStage({ agents: [testAgent()], address: server.address })
  const { result, run } = await stage.play({ script: [say('done')] })
  expect(result?.answer).toBe('done')
  const { searchAttributes: found } = await stage.client.client.workflow
    .getHandle(run.id)
    .describe()
  expect(Object.keys(found).filter((name) => name.startsWith('Perdure'))).toEqual(['PerdureSteps'])
})
