import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembleChunks } from '../../../src/models/assemble-chunks.js'
import { ModelError } from '../../../src/models/model-error.js'
import { readCompletion } from '../../../src/models/read-completion.js'

interface Call {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** A text in random pieces, none of which need be whole characters. */
function inPieces(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length]
  const sorted = places.sort((a, b) => a - b)
  return sorted.slice(1).map((end, i) => text.slice(sorted[i], end))
}

const cuts = fc.array(fc.nat(), { maxLength: 6 })
const toolName = fc.stringMatching(/^[a-z]{1,8}$/)
const args = fc
  .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
  .map((v) => JSON.stringify(v))
const calls = fc
  .array(fc.record({ name: toolName, arguments: args }), { maxLength: 4 })
  .map((list): Call[] => list.map((call, i) => ({ id: `call_${i}`, ...call })))
const text = fc.string({ unit: 'grapheme' })

/** How a server marks to which call a piece belongs. */
const STYLES = {
  index: (index: number, id: string, first: boolean) => ({ index, ...(first ? { id } : {}) }),
  indexAndId: (index: number, id: string) => ({ index, id }),
  idAtFirst: (_index: number, id: string, first: boolean) => (first ? { id } : {}),
  idAlways: (_index: number, id: string) => ({ id }),
  indexZero: (_index: number, id: string, first: boolean) => ({
    index: 0,
    ...(first ? { id } : {}),
  }),
} as const

const style = fc.constantFrom(...(Object.keys(STYLES) as (keyof typeof STYLES)[]))

function chunk(delta: object, finish_reason: string | null = null) {
  return { choices: [{ index: 0, delta, finish_reason }] }
}

interface Stream {
  readonly text: string
  readonly calls: readonly Call[]
  readonly cuts: readonly number[]
  readonly style: keyof typeof STYLES
  /** Whether each piece repeats the tool's name. */
  readonly named: boolean
}

function chunksOf(stream: Stream): object[] {
  const texts = inPieces(stream.text, stream.cuts).map((content) => chunk({ content }))
  const deltas = stream.calls.flatMap((call, index) =>
    inPieces(call.arguments, stream.cuts).map((piece, i) => {
      const name = i === 0 || stream.named ? { name: call.name } : {}
      const mark = STYLES[stream.style](index, call.id, i === 0)
      return chunk({ tool_calls: [{ ...mark, function: { ...name, arguments: piece } }] })
    }),
  )
  return [...texts, ...deltas, chunk({}, 'stop')]
}

describe('a completion that is sent in pieces', () => {
  it('comes together again, wherever it is cut and however its calls are marked', () => {
    const streams = fc.record({ text, calls, cuts, style, named: fc.boolean() })
    return fc.assert(
      fc.property(streams, (stream) => {
        const { completion, finished } = assembleChunks(chunksOf(stream))
        expect(finished).toBe(true)
        const read = readCompletion(completion)
        expect(read.text).toBe(stream.text)
        expect(read.calls).toEqual(stream.calls.map(({ id: _, ...call }) => call))
      }),
      { numRuns: 500 },
    )
  })

  it('comes together when the pieces of its calls alternate', () => {
    const streams = fc.record({
      calls,
      cuts,
      seed: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
    })
    return fc.assert(
      fc.property(streams, ({ calls: list, cuts: at, seed }) => {
        const queues = list.map((call, index) =>
          inPieces(call.arguments, at).map((piece, i) => ({
            ...STYLES.index(index, call.id, i === 0),
            function: { ...(i === 0 ? { name: call.name } : {}), arguments: piece },
          })),
        )
        const mixed: object[] = []
        for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
          const open = queues.filter((queue) => queue.length > 0)
          const next = open[(seed[turn % seed.length] ?? 0) % open.length]?.shift()
          if (next !== undefined) mixed.push(chunk({ tool_calls: [next] }))
        }
        const read = readCompletion(assembleChunks([...mixed, chunk({}, 'stop')]).completion)
        const order = [...read.calls].sort(byText)
        expect(order).toEqual(list.map(({ id: _, ...call }) => call).sort(byText))
      }),
    )
  })
})

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}

it('whatever chunks come, they are put together or a ModelError', () => {
  const part = fc.oneof(fc.jsonValue(), fc.constant(undefined))
  const entry = fc.record(
    { index: part, id: part, function: fc.record({ name: part, arguments: part }) },
    { requiredKeys: [] },
  )
  const delta = fc.record(
    {
      content: part,
      refusal: part,
      tool_calls: fc.oneof(part, fc.array(entry)),
      function_call: part,
    },
    { requiredKeys: [] },
  )
  const choice = fc.record(
    { index: part, delta, message: part, finish_reason: part },
    { requiredKeys: [] },
  )
  const chunks = fc.array(
    fc.oneof(fc.jsonValue(), fc.record({ choices: fc.array(choice), usage: part })),
  )
  return fc.assert(
    fc.property(chunks, (list) => {
      try {
        const { completion, finished } = assembleChunks(list)
        expect(typeof finished).toBe('boolean')
        expect(readCompletion(completion).calls.every(({ name }) => typeof name === 'string')).toBe(
          true,
        )
      } catch (error) {
        expect(error).toBeInstanceOf(ModelError)
      }
    }),
  )
})
