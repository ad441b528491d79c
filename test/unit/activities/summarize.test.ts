import { describe, expect, it } from 'vitest'
import { summaryText } from '../../../src/agent/memory/window.js'
import type { Message } from '../../../src/contract/messages.js'
import { messageTokens } from '../../../src/contract/tokens.js'
import type { RawReply } from '../../../src/models/model.js'
import { ModelError } from '../../../src/models/model-error.js'
import { rejection } from './attempt.js'
import { modelWorker } from './model-worker.js'
import { agentWith, NO_TABLES } from './sample.js'

const TOKENS = { promptTokens: 30, completionTokens: 5 }
const WRITTEN: RawReply = { text: ' A1 was shipped.\n', calls: [], finish: 'stop', tokens: TOKENS }

const CONVERSATION: readonly Message[] = [
  { role: 'user', kind: 'summary', text: 'Before.' },
  { role: 'user', text: 'Where is A1?' },
  {
    role: 'assistant',
    text: 'Let me look.',
    calls: [{ name: 'lookup', args: { id: 'A1' } }],
    turn: 1,
    step: 1,
  },
  { role: 'tool', id: '001000101', text: 'shipped on Monday' },
  { role: 'assistant', text: '', calls: [{ name: 'lookup', args: {} }], turn: 1, step: 2 },
  { role: 'tool', id: '001000201', text: 'not shown' },
]

function worker(reply: Partial<RawReply> = {}, messages = CONVERSATION) {
  const agent = agentWith({ modelSettings: { temperature: 0, maxTokens: 9, stop: ['END'] } })
  return modelWorker(async () => ({ ...WRITTEN, ...reply }), { agent, messages })
}

describe('a summary', () => {
  it('is what the model wrote, with its tokens and those of the message that it becomes', async () => {
    const message = { role: 'user', text: summaryText('A1 was shipped.') } as const
    expect(await worker().summarize()).toEqual({
      text: 'A1 was shipped.',
      tokens: TOKENS,
      size: messageTokens(message, await NO_TABLES()),
    })
  })

  it('is asked for with the older messages as text; the question is told apart', async () => {
    const one = worker()
    await one.summarize({ to: 4, goal: 1, maxWords: 70 })
    expect(one.prompts).toEqual([
      {
        model: 'test-model',
        settings: { temperature: 0, maxTokens: 70 * 3 + 1_000 },
        instructions: expect.stringContaining('in at most 70 words'),
        messages: [
          {
            role: 'user',
            text: [
              'user: Before.',
              'assistant: Let me look.',
              'call: lookup({"id":"A1"})',
              'result: shipped on Monday',
              '',
              "The user's question now: Where is A1?",
            ].join('\n'),
          },
        ],
        tools: [],
        parallel: true,
      },
    ])
  })

  it('is asked of the model that is named', async () => {
    const one = worker()
    await one.summarize({ model: 'cheap' })
    expect(one.names).toEqual(['cheap'])
    expect(one.prompts[0]?.model).toBe('cheap')
  })

  it('is asked for with 60,000 characters at most, whatever the messages are', async () => {
    const huge = CONVERSATION.map((message) => ({ ...message, text: 'x'.repeat(100_000) }))
    const one = worker({}, huge)
    await one.summarize({ goal: 1 })
    const [asked] = one.prompts[0]?.messages ?? []
    expect(asked?.text.length).toBeLessThan(80_000)
    expect(asked?.text).toContain('characters left out')
  })

  it('is cut where the model ignores its limit', async () => {
    const { text } = await worker({ text: 'word '.repeat(10_000) }).summarize({ maxWords: 10 })
    expect(text).toHaveLength(120)
    expect(text.endsWith('…')).toBe(true)
  })

  it('never holds half a surrogate pair', async () => {
    expect((await worker({ text: 'a\ud83d' }).summarize()).text).toBe('a\ufffd')
  })

  it('that was cut at its token limit is one all the same', async () => {
    expect((await worker({ finish: 'length' }).summarize()).text).toBe('A1 was shipped.')
  })

  it.each(['refusal', 'content_filter'] as const)(
    'that ends with %s is none: it would be believed',
    async (finish) => {
      const summary = await worker({ finish, text: 'I cannot do that.' }).summarize()
      expect(summary).toMatchObject({ text: '', tokens: TOKENS })
    },
  )

  it('is none when the messages are too long for the model too', async () => {
    const { summarize } = modelWorker(() =>
      Promise.reject(new ModelError('x', { status: 400, code: 'context_length_exceeded' })),
    )
    expect(await summarize()).toMatchObject({ text: '', tokens: null })
  })

  it('fails like any other model call', async () => {
    const { summarize } = modelWorker(() => Promise.reject(new ModelError('down', { status: 503 })))
    expect(await rejection(summarize())).toMatchObject({ type: 'ModelUnavailable' })
  })
})
