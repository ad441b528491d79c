import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type JsonObject } from '../../src/index.js'
import { callTool, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { openStage } from './kit.js'

const search = z.object({
  query: z.string(),
  limit: z.number().default(10),
  tag: z.string().optional(),
  kind: z.enum(['a', 'b']).optional(),
  at: z.object({ from: z.int().optional(), to: z.int().nullable() }).optional(),
  list: z.array(z.object({ n: z.int(), note: z.string().optional() })).default([]),
  cursor: z.string().nullable(),
  maybe: z.string().nullish(),
  either: z.union([z.object({ x: z.int().optional() }), z.string()]).optional(),
})
const full = { query: 'cats', cursor: 'c' }
/** Arguments as the model sends them, and as the tool gets them; null when it must not run. */
const NULLS: [args: JsonObject, wanted: JsonObject | null][] = [
  [
    { ...full, limit: null, tag: null },
    { ...full, limit: 10, list: [] },
  ],
  [
    { ...full, kind: null, at: null, either: null },
    { ...full, limit: 10, list: [] },
  ],
  [
    { ...full, cursor: null, maybe: null },
    { ...full, cursor: null, maybe: null, limit: 10, list: [] },
  ],
  [
    { ...full, at: { from: null, to: null } },
    { ...full, at: { to: null }, limit: 10, list: [] },
  ],
  [
    { ...full, list: [{ n: 1, note: null }] },
    { ...full, list: [{ n: 1 }], limit: 10 },
  ],
  [
    { ...full, list: null },
    { ...full, list: [], limit: 10 },
  ],
  [
    { ...full, either: { x: null } },
    { ...full, either: {}, limit: 10, list: [] },
  ],
  [{ ...full, query: null }, null],
  [{ ...full, query: null, limit: null }, null],
  [{ ...full, at: { from: 1 } }, null],
  [{ ...full, list: [{ n: null }] }, null],
  [{ ...full, list: [null] }, null],
  [{ query: 'cats' }, null],
]

test('B19 · null for a field that may be left out', async () => {
  const tool = (name: string, strict: boolean) =>
    defineTool({ name, description: 'd', input: search, strict, execute: (input) => input })
  const stage = await openStage({
    agents: [testAgent({ tools: [tool('strict', true), tool('loose', false)] })],
  })
  const outcomes = await Promise.all(
    NULLS.flatMap(([args]) =>
      ['strict', 'loose'].map((name) => stage.play({ script: [callTool(name, args), say('ok')] })),
    ),
  )
  for (const [i, { steps }] of outcomes.entries()) {
    const [args, wanted] = NULLS[Math.floor(i / 2)] ?? []
    const [call] = steps[0]?.calls ?? []
    expect(call?.status, JSON.stringify(args)).toBe(wanted === null ? 'refused' : 'ok')
    const seen = JSON.parse(call?.observation ?? '')
    if (wanted === null) expect(seen.error_type).toBe('invalid_arguments')
    else expect(seen, JSON.stringify(args)).toEqual(wanted)
  }
})
