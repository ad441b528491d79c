import { expect, test } from 'vitest'
import { z } from 'zod'
import { type AgentOptions, defineTool } from '../../src/index.js'
import { type ChatRequest, callTool, callTools, say, status } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { attempts } from '../kit/attempts.js'
import { later, observations, openStage } from './kit.js'

/** Bytes that look like those of a picture, always the same. */
function noise(bytes: number): Buffer {
  let seed = 7
  return Buffer.from(
    Array.from({ length: bytes }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed >> 16
    }),
  )
}
const picture = noise(120_000).toString('base64')
const url = (type: string) => `data:${type};base64,${picture}`
const log = Array.from({ length: 4_000 }, (_, i) => `line ${i}: all is well, nothing to see here.`)

/** What a tool returns, and what the model reads of it. */
const RESULTS: Record<string, readonly [result: () => unknown, text: RegExp]> = {
  'a log of 200 kB': [
    () => log.join('\n'),
    /^line 0: .*\[… \d+ of \d+ characters left out …\].*line 3999: [^\n]*$/s,
  ],
  'a log as a list': [() => log, /^\["line 0: .*left out.*here\."\]$/s],
  'a picture as data URL': [
    () => ({ shot: url('image/png') }),
    /^\{"shot":"\[image\/png, 120 kB, left out\]"\}$/,
  ],
  'a data URL as text': [() => url('application/pdf'), /^\[application\/pdf, 120 kB, left out\]$/],
  'a data URL with a charset': [
    () => url('text/csv;charset=utf-8'),
    /^\[text\/csv, 120 kB, left out\]$/,
  ],
  'a data URL without a type': [() => url(''), /^\[data, 120 kB, left out\]$/],
  'a data URL in Markdown': [
    () => `![shot](${url('image/png')}) of today`,
    /^!\[shot\]\(\[image\/png, .*\]\) of today$/,
  ],
  'several pictures': [() => [url('image/png'), url('image/webp')], /image\/png.*image\/webp/],
  'bare base64': [
    () => ({ name: 'a.bin', data: picture }),
    /^\{"name":"a\.bin","data":"\[base64 data, 120 kB, left out\]"\}$/,
  ],
  'base64 among words': [
    () => `The file is ${picture} and that is all.`,
    /^The file is \[base64 data, 120 kB, left out\] and that is all\.$/,
  ],
  'base64 for URLs': [
    () => ({ data: noise(120_000).toString('base64url') }),
    /base64 data, 120 kB, left out/,
  ],
  'base64 in lines': [
    () => picture.replace(/(.{76})/g, '$1\r\n'),
    /base64 data, 1\d\d kB, left out/,
  ],
  'base64 in lines inside of JSON': [
    () => ({ data: picture.replace(/(.{76})/g, '$1\n') }),
    /base64 data, 1\d\d kB, left out/,
  ],
  'a buffer': [() => noise(120_000), /left out/],
  // Long, and no base64 at all.
  'a line of dashes': [() => '-'.repeat(1_500), /^-{1500}$/],
  'one long word': [() => 'a'.repeat(1_500), /^a{1500}$/],
  'a short key': [() => 'c2hvcnQ='.repeat(10), /^(c2hvcnQ=){10}$/],
}

test('B45 · large and base64 results are cut, and say so', async () => {
  const kinds = Object.keys(RESULTS)
  const give = defineTool({
    name: 'give',
    description: 'Use when the test says so.',
    input: z.object({ kind: z.string() }),
    execute: ({ kind }) => RESULTS[kind]?.[0](),
  })
  const stage = await openStage({ agents: [testAgent({ tools: [give] })] })
  const outcome = await stage.play({
    script: [callTools(kinds.map((kind) => ({ name: 'give', args: { kind } }))), say('done')],
  })
  expect(outcome.result?.answer).toBe('done')
  const texts = observations(outcome)
  expect(texts.map((text) => text.length <= 2_000)).toEqual(kinds.map(() => true))
  const wrong = kinds.filter((kind, i) => !RESULTS[kind]?.[1].test(texts[i] ?? ''))
  expect(wrong).toEqual([])
})

test('B45 · five parallel results of 40 kB', async () => {
  const tool = defineTool({
    name: 'page',
    description: 'Use when the test says so.',
    input: z.object({ n: z.int() }),
    execute: ({ n }) => `page ${n} ${'words '.repeat(7_000)} end ${n}`,
  })
  const stage = await openStage({ agents: [testAgent({ tools: [tool] })] })
  const outcome = await stage.play({
    script: [callTools([1, 2, 3, 4, 5].map((n) => ({ name: 'page', args: { n } }))), say('done')],
  })
  const texts = observations(outcome)
  expect(texts.map((text) => text.length <= 2_000)).toEqual(Array(5).fill(true))
  expect(texts.map((text) => /^page (\d) .*left out.* end \1$/s.test(text))).toEqual(
    Array(5).fill(true),
  )
  expect(JSON.stringify(outcome.requests[1]?.body).length).toBeLessThan(14_000)
})

/** Options of the issue "memory", as far as they are known. */
function memory(tokens: number): Partial<AgentOptions> {
  return { memory: { tokens } } as object
}

const tooLong = status(400, {
  body: { error: { message: 'Too long.', code: 'context_length_exceeded' } },
})

later('memory')(
  'B42 · a summary that fails costs neither the goal nor the system message',
  async () => {
    const note = defineTool({
      name: 'note',
      description: 'Use when the test says so.',
      input: z.object({ n: z.int() }),
      execute: ({ n }) => `${n} `.repeat(900),
    })
    for (const failure of [tooLong, status(500), say('')]) {
      const options = { ...memory(3_000), tools: [note], limits: { maxSteps: 30 } }
      const stage = await openStage({ agents: [testAgent(options)] })
      const isSummary = ({ tools, messages }: ChatRequest) =>
        tools === undefined && messages.length <= 2
      let steps = 0
      const { result, requests, events } = await stage.play({
        input: 'Add them all up.',
        respond: (request) => {
          if (isSummary(request)) return failure
          return steps++ < 20 ? callTool('note', { n: steps }) : say('210')
        },
      })
      expect(result).toMatchObject({ stopReason: 'answered', answer: '210' })
      expect(attempts(events, 'summarize')).toBeGreaterThan(0)
      for (const { body } of requests.filter((request) => !isSummary(request.body))) {
        const [system, goal] = body.messages
        expect(system).toMatchObject({ role: 'system', content: 'You are under test.' })
        expect(goal?.content).toContain('Add them all up.')
        expect(JSON.stringify(body)).not.toContain('context_length_exceeded')
      }
      for (const { body } of requests) expect(JSON.stringify(body).length).toBeLessThan(40_000)
    }
  },
)

later('memory')('B43 · tokens of Chinese and of emoji are not counted like English', async () => {
  const stage = await openStage({
    agents: [testAgent({ ...memory(6_000), limits: { maxSteps: 20 } })],
  })
  const texts = {
    Chinese: '查'.repeat(4_000),
    emoji: '😀'.repeat(2_000),
    English: 'word '.repeat(800),
  }
  for (const [language, text] of Object.entries(texts)) {
    const { requests } = await stage.play({
      respond: (_, { index }) =>
        index < 3 ? callTool('lookup', { id: `A${index}` }, { text }) : say('done'),
    })
    const kept = (requests.at(-1)?.body.messages ?? []).filter(({ content }) => content === text)
    if (language === 'English') expect(kept).toHaveLength(3)
    else expect(kept.length).toBeLessThan(3)
  }
})
