import { beforeEach, expect, it } from 'vitest'
import { MessageCount } from '../../../../src/client/history/message-count.js'
import type { CallModelInput } from '../../../../src/contract/activities.js'
import type { ModelReply } from '../../../../src/contract/reply.js'

let messages: MessageCount

beforeEach(() => {
  messages = new MessageCount()
})

/** Messages that were left out before a model call with so many. */
function call(count: number, more: Partial<CallModelInput> = {}): number {
  return messages.call({ turn: 1, step: 1, count, digest: 'd', ...more })
}

function reply(calls: number, more: Partial<ModelReply> = {}): void {
  const one = { name: 'lookup', args: {} }
  messages.reply({
    text: '',
    calls: Array.from({ length: calls }, () => one),
    finish: 'stop',
    tokens: null,
    ...more,
  })
}

it('nothing is missing where each step adds its reply and its results', () => {
  expect(call(1)).toBe(0)
  reply(2)
  expect(call(4)).toBe(0)
  reply(1)
  expect(call(6)).toBe(0)
})

it('fewer than there must be were left out', () => {
  call(1)
  reply(2)
  expect(call(2)).toBe(2)
  reply(1)
  expect(call(4)).toBe(0)
})

it('an empty reply is followed by a note, and is not kept itself', () => {
  call(1)
  reply(0)
  expect(call(2)).toBe(0)
})

it('a forced answer is asked for by a note', () => {
  call(1)
  reply(1)
  expect(call(4, { forced: true })).toBe(0)
})

it('a prompt that is too long is asked again in part, or without tools as it is', () => {
  call(9)
  reply(0, { finish: 'context_length' })
  expect(call(4)).toBe(5)
  reply(0, { finish: 'context_length' })
  expect(call(4, { forced: true })).toBe(0)
})

it('what a summary stands for is not counted among what was left out', () => {
  call(9)
  reply(1)
  messages.summary({ turn: 1, step: 2, count: 11, digest: 'd', to: 6, goal: 0, maxWords: 100 })
  expect(call(7)).toBe(0)
})

it('a summary before a forced answer has counted its note', () => {
  call(9)
  reply(1)
  messages.summary({ turn: 1, step: 2, count: 12, digest: 'd', to: 6, goal: null, maxWords: 100 })
  expect(call(7, { forced: true })).toBe(0)
})

it('another turn begins anew', () => {
  call(9)
  reply(1)
  expect(call(3, { turn: 2 })).toBe(0)
})
