import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import {
  type ChatRequest,
  callTool,
  callTools,
  type Reply,
  refuse,
  say,
  status,
} from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { attempts } from '../kit/attempts.js'
import { observations, openStage } from './kit.js'

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
    /^line 0: .*\[… \d+ of \d+ characters left out; read_more shows them: id "[a-z0-9]{9}" …\].*line 3999: [^\n]*$/s,
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

const note = defineTool({
  name: 'note',
  description: 'Use when the test says so.',
  input: z.object({ n: z.int() }),
  annotations: { readOnlyHint: true },
  execute: ({ n }) => `${n} `.repeat(900),
})

const tooLong = status(400, {
  body: { error: { message: 'Too long.', code: 'context_length_exceeded' } },
})

/** Ways of a summary to fail, and whether the model answered at all. */
const NO_SUMMARY: Record<string, readonly [reply: Reply, counted: boolean]> = {
  'too long for the summariser': [tooLong, true],
  'a summariser that is down': [status(500), false],
  'an empty summary': [say(''), true],
  'a refusal': [refuse('Too long to summarise.'), true],
}

test('B42 · a summary that fails costs neither the goal nor the system message', async () => {
  const stage = await openStage({
    agents: [testAgent({ tools: [note], limits: { maxSteps: 30 } })],
  })
  const isSummary = ({ tools }: ChatRequest) => tools === undefined
  const cases = Object.entries(NO_SUMMARY)
  const outcomes = await Promise.all(
    cases.map(([, [failure]]) => {
      let steps = 0
      return stage.play({
        input: 'Add them all up.',
        respond: (request) => {
          if (isSummary(request)) return failure
          return steps++ < 12 ? callTool('note', { n: steps }) : say('78')
        },
      })
    }),
  )
  for (const [i, { result, requests, events }] of outcomes.entries()) {
    const [name, [, isCounted]] = cases[i] ?? ['', [tooLong, false]]
    const summaries = requests.filter(({ body }) => isSummary(body))
    // An activity of its own, counted where there was a reply.
    expect(attempts(events, 'summarize'), name).toBe(summaries.length)
    expect(summaries.length, name).toBeGreaterThan(1)
    expect(result, name).toMatchObject({
      stopReason: 'answered',
      answer: '78',
      steps: 13,
      usage: { modelCalls: 13 + (isCounted ? summaries.length : 0) },
    })
    for (const { body } of requests.filter((request) => !isSummary(request.body))) {
      const [system, ...messages] = body.messages
      expect(system, name).toMatchObject({ role: 'system', content: 'You are under test.' })
      const goals = messages.filter(({ content }) =>
        // A summary, or the word that there is none, begins the message that the goal ends.
        /(^|\n\n)Add them all up\. \[\d\]$/.test(`${content}`),
      )
      expect(goals, name).toHaveLength(1)
      expect(JSON.stringify(body), name).not.toMatch(/Too long|context_length|went wrong/)
    }
    // What was trimmed is no longer sent: to the summariser neither.
    for (const { body } of requests) expect(JSON.stringify(body).length, name).toBeLessThan(40_000)
  }
})

/** 4,000 UTF-16 units of a text. */
const long = (text: string) => text.repeat(4_000).slice(0, 4_000)

/** Texts of one length; of three, as many as fit 6,000 tokens may be in the last prompt. */
const LANGUAGES = {
  Chinese: long('请帮我查一下这个订单现在的状态，如果已经延误就退款。'),
  'Chinese, one character': long('查'),
  Japanese: long('この注文の状況を確認して、遅れていれば返金してください。'),
  Korean: long('이 주문의 상태를 확인하고 늦었으면 환불해 주세요. '),
  emoji: long('😀🚀🧪🔥'),
  English: long('Please look at the state of this order and pay it back if it is late. '),
}

const COUNTED = new Set<string>()
const tokensOf = (text: unknown) => countTokens(`${text}`, { disallowedSpecial: COUNTED })

test.each(['o200k', 'estimate'] as const)(
  'B43 · tokens of Chinese and of emoji are not counted like English (%s)',
  async (tokenizer) => {
    const agent = testAgent({ memory: { summary: false, maxTokens: 6_000 } })
    const stage = await openStage({ agents: [agent], worker: { tokenizer } })
    const cases = Object.entries(LANGUAGES)
    const outcomes = await Promise.all(
      cases.map(([, text]) =>
        stage.play({
          respond: (_, { index }) =>
            index < 3
              ? callTool('lookup', { id: `A${index}` }, { text, usage: null })
              : say('done', { usage: null }),
        }),
      ),
    )
    for (const [i, { result, requests }] of outcomes.entries()) {
      const [language, text] = cases[i] ?? []
      expect(result, language).toMatchObject({ stopReason: 'answered' })
      const [, goal, ...messages] = requests.at(-1)?.body.messages ?? []
      expect(goal?.content, language).toMatch(/^Go\. /)
      const kept = messages.filter(({ content }) => content === text)
      if (language === 'English') expect(kept).toHaveLength(3)
      else expect([1, 2], language).toContain(kept.length)
      const sent = messages.reduce((sum, { content }) => sum + tokensOf(content), 0)
      expect(sent, language).toBeLessThanOrEqual(6_000)
    }
  },
)

test('B43 · what the provider counts corrects the estimate', async () => {
  const agent = testAgent({ memory: { summary: false, maxTokens: 6_000 } })
  const stage = await openStage({ agents: [agent], worker: { tokenizer: 'estimate' } })
  const text = LANGUAGES.English
  const kept = async (factor: number) => {
    const { requests } = await stage.play({
      respond: (request, { index }) => {
        const promptTokens = Math.round(factor * tokensOf(JSON.stringify(request)))
        const usage = { promptTokens, completionTokens: 10 }
        if (index === 3) return say('done', { usage })
        return callTool('lookup', { id: `A${index}` }, { text, usage })
      },
    })
    const messages = requests.at(-1)?.body.messages ?? []
    return messages.filter(({ content }) => content === text).length
  }
  expect(await kept(1)).toBe(3)
  // A tokenizer that makes three times as many of the same text.
  expect(await kept(3)).toBeLessThan(3)
})
