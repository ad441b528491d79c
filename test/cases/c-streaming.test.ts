import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type JsonObject, type JsonValue } from '../../src/index.js'
import { type Reply, raw, say, sse } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { openStage } from './kit.js'

const add = defineTool({
  name: 'add',
  description: 'Use when two numbers are added.',
  input: z.object({ a: z.int(), b: z.int() }),
  execute: ({ a, b }) => a + b,
})

/** One piece of a call, with as much as the server says of it. */
interface Piece {
  readonly index?: JsonValue
  readonly id?: string | null
  readonly name?: string | null
  readonly args?: JsonValue
}

function delta({ index, id, name, args }: Piece): JsonObject {
  const fn = {
    ...(name === undefined ? {} : { name }),
    ...(args === undefined ? {} : { arguments: args }),
  }
  return {
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id }),
    function: fn,
  }
}

/** A stream in which each list of pieces is one chunk. */
function pieces(chunks: readonly (readonly Piece[])[], finish: JsonValue = 'tool_calls') {
  return sse([
    ...chunks.map((chunk) => ({ choices: [{ delta: { tool_calls: chunk.map(delta) } }] })),
    { choices: [{ delta: {}, finish_reason: finish }] },
  ])
}

const [HALF, REST, SECOND] = ['{"a":1', ',"b":2}', '{"a":3,"b":4}']
const ONE = [{ a: 1, b: 2 }]
const TWO = [...ONE, { a: 3, b: 4 }]
const c1 = { id: 'c1', name: 'add' }
const c2 = { id: 'c2', name: 'add', args: SECOND }

const STREAMS: Record<string, readonly [reply: Reply, calls: readonly JsonObject[]]> = {
  'one call without index': [pieces([[{ ...c1, args: HALF }], [{ args: REST }]]), ONE],
  'two calls in two chunks without index': [pieces([[{ ...c1, args: HALF + REST }], [c2]]), TWO],
  'two calls in one chunk without index': [pieces([[{ ...c1, args: HALF + REST }, c2]]), TWO],
  'index null': [
    pieces([[{ ...c1, index: null, args: HALF }], [{ index: null, args: REST }]]),
    ONE,
  ],
  'index as text': [
    pieces([[{ ...c1, index: '0', args: HALF }], [{ index: '0', args: REST }]]),
    ONE,
  ],
  'index 0 for both': [
    pieces([[{ ...c1, index: 0, args: HALF }], [{ index: 0, args: REST }], [{ ...c2, index: 0 }]]),
    TWO,
  ],
  'indexes with a gap': [
    pieces([[{ ...c1, index: 1, args: HALF + REST }], [{ ...c2, index: 4 }]]),
    TWO,
  ],
  'indexes from 1, interleaved': [
    pieces([
      [{ ...c1, index: 1, args: HALF }],
      [{ ...c2, index: 2, args: '{"a":3' }],
      [{ index: 1, args: REST }],
      [{ index: 2, args: ',"b":4}' }],
    ]),
    TWO,
  ],
  'the id with each piece': [pieces([[{ ...c1, args: HALF }], [{ id: 'c1', args: REST }]]), ONE],
  'an empty id with each piece': [
    pieces([[{ ...c1, args: HALF }], [{ id: '', name: '', args: REST }]]),
    ONE,
  ],
  'null with each piece': [
    pieces([[{ ...c1, args: HALF }], [{ id: null, name: null, args: REST }]]),
    ONE,
  ],
  'the name with each piece': [
    pieces([[{ ...c1, index: 0, args: HALF }], [{ ...c1, index: 0, args: REST }]]),
    ONE,
  ],
  'the name in pieces': [
    pieces([[{ id: 'c1', index: 0, name: 'a' }], [{ index: 0, name: 'dd', args: HALF + REST }]]),
    ONE,
  ],
  'no id at all': [pieces([[{ name: 'add', args: HALF }], [{ args: REST }]]), ONE],
  'no ids, two calls': [
    pieces([[{ name: 'add', args: HALF + REST }], [{ name: 'add', args: SECOND }]]),
    TWO,
  ],
  'name first, arguments later': [pieces([[c1], [{ args: HALF }], [{ args: REST }]]), ONE],
  'arguments as an object': [pieces([[{ ...c1, args: { a: 1, b: 2 } }]]), ONE],
  'finish reason stop': [pieces([[{ ...c1, args: HALF + REST }]], 'stop'), ONE],
  'no finish reason': [pieces([[{ ...c1, args: HALF + REST }]], null), ONE],
  'a legacy function_call': [
    sse([
      { choices: [{ delta: { function_call: { name: 'add', arguments: HALF } } }] },
      {
        choices: [
          { delta: { function_call: { arguments: REST } }, finish_reason: 'function_call' },
        ],
      },
    ]),
    ONE,
  ],
  'the whole message in one chunk': [
    sse([
      {
        choices: [
          { message: { tool_calls: [delta({ ...c1, args: HALF + REST })] }, finish_reason: 'stop' },
        ],
      },
    ]),
    ONE,
  ],
  'chunks of other kinds between': [
    sse([
      {},
      { choices: [] },
      { choices: [{ delta: { tool_calls: [delta({ ...c1, args: HALF })] } }] },
      { choices: [{ delta: null }], usage: null },
      { choices: [{ delta: { tool_calls: [null, delta({ args: REST })] } }] },
      { type: 'ping' },
      { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 1 } },
    ]),
    ONE,
  ],
  'a whole document for a stream': [
    raw({
      choices: [
        {
          finish_reason: 'tool_calls',
          message: { tool_calls: [delta({ ...c1, args: HALF + REST })] },
        },
      ],
    }),
    ONE,
  ],
}

test('B21 · call deltas in whatever form a server sends them', async () => {
  const stage = await openStage({ agents: [testAgent({ tools: [add] })] })
  const cases = Object.entries(STREAMS)
  const outcomes = await Promise.all(
    cases.map(([, [reply]]) => stage.play({ script: [reply, say('done')] })),
  )
  for (const [i, { result, steps }] of outcomes.entries()) {
    const [name, [, calls]] = cases[i] ?? ['', [undefined, []]]
    expect(result, name).toMatchObject({ answer: 'done', steps: 2 })
    expect(
      steps[0]?.calls.map(({ args }) => args),
      name,
    ).toEqual(calls)
    const sums = calls.map(({ a, b }) => `${Number(a) + Number(b)}`)
    expect(
      steps[0]?.calls.map(({ observation }) => observation),
      name,
    ).toEqual(sums)
  }
})
