import * as fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../../src/contract/json.js'
import { callId, type Message } from '../../../src/contract/messages.js'

/** Any text, half surrogate pairs included. */
export const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', '"', '\\', '\n', '|', 'é', '中', '😀', '\ud83d', '\ude00'),
    fc.nat(0xffff).map((code) => String.fromCharCode(code)),
  ),
  maxLength: 12,
})

/** Any text that a request may hold. */
export const wellFormedText = anyText.map((text) => text.toWellFormed())

const key = fc.oneof(fc.constantFrom('a', 'b', '1', '__proto__', 'constructor'), anyText)

/** Any JSON value, with keys that look like parts of JavaScript's objects. */
export const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.oneof(
      anyText,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 4 })
      .map((entries): JsonObject => Object.fromEntries(entries)),
  ),
})).value

/** Any JSON object. */
export const jsonObject: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(key, json), { maxLength: 5 })
  .map((entries) => Object.fromEntries(entries))

const call = fc.record({ name: fc.constantFrom('search', 'read'), args: jsonObject })

/** What comes after the first user message of a conversation: steps, each call answered. */
export function steps(observation: fc.Arbitrary<string>): fc.Arbitrary<Message[]> {
  const step = fc.record({
    text: wellFormedText,
    observed: fc.array(fc.tuple(call, observation), { minLength: 1, maxLength: 3 }),
  })
  return fc.array(step, { maxLength: 5 }).map((list) =>
    list.flatMap(({ text, observed }, s): Message[] => [
      { role: 'assistant', text, calls: observed.map(([c]) => c), turn: 1, step: s + 1 },
      ...observed.map(
        ([, seen], c): Message => ({
          role: 'tool',
          id: callId(1, s + 1, c + 1),
          text: seen,
        }),
      ),
    ]),
  )
}

const turn = fc.record({
  question: wellFormedText,
  traces: steps(
    fc.oneof(
      wellFormedText,
      fc.nat(300).map((chars) => 'word '.repeat(chars)),
    ),
  ),
  note: fc.option(wellFormedText, { nil: undefined }),
  answer: fc.option(wellFormedText, { nil: undefined }),
})

/** Any conversation of some turns, the last of which may be under way; its first message may be a summary. */
export const conversation: fc.Arbitrary<Message[]> = fc
  .tuple(fc.boolean(), fc.array(turn, { minLength: 1, maxLength: 4 }))
  .map(([isShort, turns]) => [
    ...(isShort ? [{ role: 'user', kind: 'summary', text: 'What was before.' } as const] : []),
    ...turns.flatMap(({ question, traces, note, answer }, t): Message[] => [
      { role: 'user', text: question },
      ...traces.map((message) => inTurn(message, t + 1)),
      ...(note === undefined ? [] : [{ role: 'user', kind: 'note', text: note } as const]),
      ...(answer === undefined
        ? []
        : [{ role: 'assistant', text: answer, calls: [], turn: t + 1, step: 99 } as const]),
    ]),
  ])

function inTurn(message: Message, at: number): Message {
  switch (message.role) {
    case 'user':
      return message
    case 'assistant':
      return { ...message, turn: at }
    case 'tool':
      return { ...message, id: callId(at, 0, 0).slice(0, 3) + message.id.slice(3) }
  }
}
