import { beforeEach, describe, expect, it } from 'vitest'
import { PromptCache } from '../../../src/activities/prompt-cache.js'
import { assistantMessage, toolMessage, userMessage } from '../../../src/agent/conversation.js'
import { digestOf } from '../../../src/agent/digest.js'
import type { CallModelInput } from '../../../src/contract/activities.js'
import type { Message } from '../../../src/contract/messages.js'
import { agentWith, lookupReply, manifestOf } from './sample.js'

const RUN = 'default/run-1'
const manifest = manifestOf()
const start = [userMessage('hello')]

/** What the workflow asks for when its conversation is `messages`. */
function at(step: number, messages: readonly Message[], turn = 1): CallModelInput {
  return { turn, step, count: messages.length, digest: digestOf(manifest, messages) }
}

/** The conversation after steps that call `lookup`, one list of ids a step. */
function after(...steps: readonly (readonly string[])[]): Message[] {
  const messages: Message[] = [...start]
  steps.forEach((ids, i) => {
    const reply = assistantMessage(lookupReply(...ids), 1, i + 1)
    messages.push(reply, ...ids.map((id, call) => toolMessage(reply, call + 1, `found ${id}`)))
  })
  return messages
}

let cache: PromptCache

beforeEach(() => {
  cache = new PromptCache()
  cache.begin(RUN, 1, { manifest, messages: start, context: null })
})

function putStep(step: number, ...ids: readonly string[]): void {
  cache.putReply(RUN, at(step, start), lookupReply(...ids))
  ids.forEach((id, i) => {
    cache.putObservation(RUN, { turn: 1, step, call: i + 1 }, `found ${id}`)
  })
}

describe('a conversation that this worker has seen', () => {
  it('is there before the first step', () => {
    expect(cache.get(RUN, at(1, start))).toEqual({ manifest, messages: start, context: null })
  })

  it('is there after each step, and again for a second attempt', () => {
    putStep(1, 'A1')
    const two = after(['A1'])
    expect(cache.get(RUN, at(2, two))?.messages).toEqual(two)
    expect(cache.get(RUN, at(2, two))?.messages).toEqual(two)
    putStep(2, 'B1', 'B2')
    const three = after(['A1'], ['B1', 'B2'])
    expect(cache.get(RUN, at(3, three))?.messages).toEqual(three)
  })

  it('is there though two steps passed without a look', () => {
    putStep(1, 'A1')
    putStep(2, 'B1')
    const messages = after(['A1'], ['B1'])
    expect(cache.get(RUN, at(3, messages))?.messages).toEqual(messages)
  })

  it('has its observations in call order, whatever finished first', () => {
    cache.putReply(RUN, at(1, start), lookupReply('A1', 'A2'))
    cache.putObservation(RUN, { turn: 1, step: 1, call: 2 }, 'found A2')
    cache.putObservation(RUN, { turn: 1, step: 1, call: 1 }, 'found A1')
    const messages = after(['A1', 'A2'])
    expect(cache.get(RUN, at(2, messages))?.messages).toEqual(messages)
  })

  it('answers a call that must not run with its problem', () => {
    const reply = { ...lookupReply(), calls: [{ name: 'nope', args: {}, problem: 'no such tool' }] }
    cache.putReply(RUN, at(1, start), reply)
    const said = assistantMessage(reply, 1, 1)
    const messages = [...start, said, toolMessage(said, 1, 'no such tool')]
    expect(cache.get(RUN, at(2, messages))?.messages).toEqual(messages)
  })

  it('is not shared: what a reader got does not grow later', () => {
    const got = cache.get(RUN, at(1, start))?.messages
    putStep(1, 'A1')
    cache.get(RUN, at(2, after(['A1'])))
    expect(got).toEqual(start)
  })

  it('takes the observation of a late attempt for what it is: another text', () => {
    putStep(1, 'A1')
    cache.putObservation(RUN, { turn: 1, step: 1, call: 1 }, 'late')
    expect(cache.get(RUN, at(2, after(['A1'])))).toBeNull()
  })
})

describe('a miss', () => {
  it.each([
    ['another run', 'default/run-2', at(1, start)],
    ['the same run id in another namespace', 'other/run-1', at(1, start)],
    ['another turn', RUN, at(1, start, 2)],
    ['another digest', RUN, { ...at(1, start), digest: '0000000000000000' }],
    ['another count', RUN, { ...at(1, start), count: 2 }],
    ['a step that is not here yet', RUN, at(2, after(['A1']))],
  ])('is %s', (_what, run, input) => {
    expect(cache.get(run, input)).toBeNull()
  })

  it('is another definition of the agent, with the same messages', () => {
    const other = manifestOf(agentWith({ instructions: 'Help more.' }))
    expect(cache.get(RUN, { ...at(1, start), digest: digestOf(other, start) })).toBeNull()
  })

  it('is a reply whose observation another worker has', () => {
    cache.putReply(RUN, at(1, start), lookupReply('A1', 'A2'))
    cache.putObservation(RUN, { turn: 1, step: 1, call: 1 }, 'found A1')
    expect(cache.get(RUN, at(2, after(['A1', 'A2'])))).toBeNull()
  })

  it('is a note that the workflow added to an observation', () => {
    putStep(1, 'A1')
    const [first, reply, observation] = after(['A1'])
    const noted = { ...observation, text: 'found A1\nYou asked that before.' }
    expect(cache.get(RUN, at(2, [first, reply, noted] as Message[]))).toBeNull()
  })

  it('is a message that the workflow added', () => {
    putStep(1, 'A1')
    expect(cache.get(RUN, at(2, [...after(['A1']), userMessage('Answer now.')]))).toBeNull()
  })

  it('is a late attempt at an older step, and does no harm', () => {
    putStep(1, 'A1')
    const messages = after(['A1'])
    expect(cache.get(RUN, at(2, messages))).not.toBeNull()
    expect(cache.get(RUN, at(1, start))).toBeNull()
    cache.putReply(RUN, at(1, start), lookupReply('other'))
    expect(cache.get(RUN, at(2, messages))?.messages).toEqual(messages)
  })

  it('is mended by what was read from the workflow, and goes on from there', () => {
    const read = [...after(['A1']), userMessage('Answer now.')]
    cache.begin(RUN, 1, { manifest, messages: read, context: null }, 2)
    expect(cache.get(RUN, at(2, read))?.messages).toEqual(read)
    putStep(2, 'B1')
    const reply = assistantMessage(lookupReply('B1'), 1, 2)
    const next = [...read, reply, toolMessage(reply, 1, 'found B1')]
    expect(cache.get(RUN, at(3, next))?.messages).toEqual(next)
  })
})

describe('room', () => {
  it('is given back by a reply without calls: most turns end there', () => {
    cache.putReply(RUN, at(1, start), { ...lookupReply(), text: 'The answer.' })
    expect(cache.get(RUN, at(1, start))).toBeNull()
  })

  it('is taken from the run that was asked for the longest ago', () => {
    const big = [userMessage('x'.repeat(12_000_000))]
    for (const run of ['a', 'b']) cache.begin(run, 1, { manifest, messages: big, context: null })
    expect(cache.get('a', at(1, big))).not.toBeNull()
    cache.begin('c', 1, { manifest, messages: big, context: null })
    const left = ['a', 'b', 'c'].filter((run) => cache.get(run, at(1, big)) !== null)
    expect(left).toEqual(['a', 'c'])
  })

  it('is not for a conversation beyond all measure', () => {
    const huge = [userMessage('x'.repeat(33_000_000))]
    cache.begin('huge', 1, { manifest, messages: huge, context: null })
    const [{ turn, step, digest }, count] = [at(1, start), 1]
    expect(cache.get('huge', { turn, step, count, digest })).toBeNull()
  })

  it('is counted for observations too', () => {
    for (let call = 1; call <= 4; call++) {
      cache.putObservation(RUN, { turn: 1, step: 1, call }, 'x'.repeat(9_000_000))
    }
    expect(cache.get(RUN, at(1, start))).toBeNull()
  })

  it('is not taken by runs that this worker has not begun', () => {
    cache.putReply('unknown', at(1, start), lookupReply('A1'))
    cache.putObservation('unknown', { turn: 1, step: 1, call: 1 }, 'found A1')
    expect(cache.get('unknown', at(2, after(['A1'])))).toBeNull()
  })
})
