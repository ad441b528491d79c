import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChatMessage, type ChatRequest, checkRequest } from '../../../src/testing/index.js'
import { answer, call, calls, tool } from './conversation.js'

const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const args = fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 8 }), text, { maxKeys: 3 })

type Round =
  | { readonly kind: 'user' | 'assistant'; readonly text: string }
  | { readonly kind: 'calls'; readonly text: string | null; readonly args: object[] }

const round: fc.Arbitrary<Round> = fc.oneof(
  fc.record({ kind: fc.constantFrom('user' as const, 'assistant' as const), text }),
  fc.record({
    kind: fc.constant('calls' as const),
    text: fc.option(text),
    args: fc.array(args, { minLength: 1, maxLength: 3 }),
  }),
)

/** A legal conversation that holds at least one call, so that every mutation has something to hit. */
const conversation: fc.Arbitrary<ChatRequest> = fc
  .record({
    system: fc.array(text, { maxLength: 2 }),
    before: fc.array(round, { maxLength: 4 }),
    after: fc.array(round, { maxLength: 4 }),
    reversed: fc.boolean(),
  })
  .map(({ system, before, after, reversed }) => {
    const must: Round = { kind: 'calls', text: null, args: [{ id: 'A1' }, { id: 'A2' }] }
    const rounds = [...before, must, ...after].flatMap((one, i) => messagesOf(one, i, reversed))
    const head = system.map((content): ChatMessage => ({ role: 'system', content }))
    const messages: ChatMessage[] = [...head, { role: 'user', content: 'hi' }, ...rounds]
    return {
      model: 'test-model',
      messages,
      tools: [tool('lookup_order')] as ChatRequest['tools'] & object,
    }
  })

function messagesOf(one: Round, place: number, reversed: boolean): ChatMessage[] {
  if (one.kind !== 'calls') return [{ role: one.kind, content: one.text }]
  const ids = one.args.map((_, i) => `c${place}_${i}`)
  const asked = one.args.map((value, i) =>
    call(ids[i] ?? '', 'lookup_order', JSON.stringify(value)),
  )
  const answers = ids.map(answer)
  return [{ ...calls(...asked), content: one.text }, ...(reversed ? answers.reverse() : answers)]
}

type Mutation = (request: ChatRequest, at: number) => object

const mutations: Readonly<Record<string, Mutation>> = {
  'drops an answer': on(isAnswer, () => []),
  'answers twice': on(isAnswer, (message) => [message, message]),
  'moves a user message between call and answer': on(isAnswer, (message) => [
    { role: 'user', content: 'well?' },
    message,
  ]),
  'renames an answer': on(isAnswer, (message) => [{ ...message, tool_call_id: 'other' }]),
  'makes a result an object': on(isAnswer, (message) => [{ ...message, content: { ok: true } }]),
  'drops the assistant message of answers': on(hasCalls, () => []),
  'empties the calls': on(hasCalls, (message) => [{ ...message, tool_calls: [] }]),
  'cuts the arguments': on(hasCalls, (message) => [withArguments(message, '{"id":')]),
  'spells half a pair in arguments': on(hasCalls, (message) => [
    withArguments(message, '{"id":"\\ud83d"}'),
  ]),
  'puts a system message at the end': (request) => ({
    ...request,
    messages: [...request.messages, { role: 'system', content: 'x' }],
  }),
  'cuts an emoji': (request) => ({
    ...request,
    messages: [...request.messages, { role: 'user', content: 'x\ud83d' }],
  }),
  'ends with an assistant message of null': (request) => ({
    ...request,
    messages: [...request.messages, { role: 'assistant', content: null }],
  }),
  'doubles a tool': (request) => ({
    ...request,
    tools: [...(request.tools ?? []), ...(request.tools ?? [])],
  }),
  'empties the tools': (request) => ({ ...request, tools: [] }),
  'chooses without tools': ({ tools: _, ...rest }) => ({ ...rest, tool_choice: 'auto' }),
  'limits tokens twice': (request) => ({ ...request, max_tokens: 1, max_completion_tokens: 1 }),
  'empties the messages': (request) => ({ ...request, messages: [] }),
  'drops the model': ({ model: _, ...rest }) => rest,
}

function isAnswer(message: ChatMessage): boolean {
  return message.role === 'tool'
}

function hasCalls(message: ChatMessage): boolean {
  return message.tool_calls !== undefined
}

function withArguments(message: ChatMessage, text: string): object {
  const [first, ...others] = message.tool_calls ?? []
  return { ...message, tool_calls: [call(first?.id ?? '', 'lookup_order', text), ...others] }
}

/** A mutation of one of the messages that match. */
function on(match: (m: ChatMessage) => boolean, change: (m: ChatMessage) => object[]): Mutation {
  return (request, at) => {
    const places = request.messages.flatMap((message, i) => (match(message) ? [i] : []))
    const place = places[at % places.length]
    const messages = request.messages.flatMap((message, i): object[] =>
      i === place ? change(message) : [message],
    )
    return { ...request, messages }
  }
}

test('every legal conversation passes', () =>
  fc.assert(
    fc.property(conversation, (request) => {
      expect(checkRequest(request)).toEqual([])
    }),
  ))

test.each(Object.entries(mutations))('no conversation passes after one fault: %s', (_, mutate) =>
  fc.assert(
    fc.property(conversation, fc.nat(), (request, at) => {
      expect(checkRequest(mutate(request, at))).not.toEqual([])
    }),
  ),
)

test('no JSON value makes it throw', () => {
  const messages = fc.array(fc.jsonValue())
  return fc.assert(
    fc.property(messages, fc.jsonValue(), (list, value) => {
      expect(checkRequest(value)).toBeInstanceOf(Array)
      expect(checkRequest({ model: 'm', messages: list, tools: value })).toBeInstanceOf(Array)
    }),
  )
})
