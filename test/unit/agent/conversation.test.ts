import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  append,
  assistantMessage,
  lastText,
  toolMessage,
  userMessage,
  utf8Length,
} from '../../../src/agent/conversation.js'
import { digestOf } from '../../../src/agent/digest.js'
import type { AssistantMessage, Message } from '../../../src/contract/messages.js'
import { anyText, json, wellFormedText } from './arbitraries.js'
import { stateOf } from './manifests.js'
import { asks, call } from './scripted-effects.js'

const said = (text: string): AssistantMessage => ({
  role: 'assistant',
  text,
  calls: [],
  turn: 1,
  step: 1,
})

describe('messages', () => {
  test('of a user never hold half a surrogate pair', () => {
    expect(userMessage('a\ud83d')).toEqual({ role: 'user', text: 'a\ufffd' })
  })

  test('of the model know where they were made', () => {
    const reply = { ...asks(call('search', { q: 1 })), text: 'Let me look.' }
    expect(assistantMessage(reply, 2, 7)).toEqual({
      role: 'assistant',
      text: 'Let me look.',
      calls: [call('search', { q: 1 })],
      turn: 2,
      step: 7,
    })
  })

  test('of tools have the id of their call', () => {
    const at: AssistantMessage = { ...said(''), turn: 2, step: 7 }
    expect(toolMessage(at, 3, 'found')).toEqual({ role: 'tool', id: '002000703', text: 'found' })
  })

  test('that are appended keep the digest up to date', () => {
    const state = stateOf()
    append(state, userMessage('one'))
    append(state, said('two'))
    append(state, userMessage('three'))
    expect(state.messages).toHaveLength(4)
    expect(state.digest).toBe(digestOf(state.manifest, state.messages))
  })
})

describe('the last text', () => {
  test.each<[string, readonly Message[], string]>([
    ['is empty when the model said nothing', [userMessage('hi')], ''],
    ['is the newest one', [said('old'), said('new')], 'new'],
    ['is never what the user or a tool said', [said('a'), userMessage('b')], 'a'],
    ['skips blank ones', [said('a'), said(''), said(' \n')], 'a'],
  ])('%s', (_, messages, text) => {
    expect(lastText(messages)).toBe(text)
  })
})

describe('the UTF-8 length', () => {
  test('is that of the encoded text', () => {
    return fc.assert(
      fc.property(wellFormedText, (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text))
      }),
    )
  })

  test('is that of any JSON text: it holds half surrogate pairs as escapes', () => {
    return fc.assert(
      fc.property(fc.oneof(anyText, json), (value) => {
        const text = JSON.stringify(value)
        expect(utf8Length(text)).toBe(Buffer.byteLength(text))
      }),
    )
  })

  test.each(['\x7f', '\x80', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\uffff', '\u{10000}'])(
    'is right at the border %j',
    (text) => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text))
    },
  )
})
