import { expect } from 'vitest'
import { append } from '../../../src/agent/conversation.js'
import { digestOf, startDigest } from '../../../src/agent/digest.js'
import { callId, type Message } from '../../../src/contract/messages.js'
import type { RunState } from '../../../src/contract/run.js'
import { type ManifestChanges, stateOf } from './manifests.js'

/** A state that holds these messages alone, with these sizes where they are given. */
export function stateHolding(
  messages: readonly Message[],
  changes: ManifestChanges = {},
  sizes: readonly number[] = [],
): RunState {
  const state = stateOf(changes)
  state.messages = []
  state.sizes = []
  state.digest = startDigest(state.manifest)
  for (const [i, message] of messages.entries()) append(state, message, sizes[i])
  return state
}

/** Digest and sizes belong to the messages, and no call is without its results. */
export function expectInOrder(state: RunState): void {
  expect(state.digest).toBe(digestOf(state.manifest, state.messages))
  expect(state.sizes).toHaveLength(state.messages.length)
  expectPaired(state.messages)
}

/** Each call has its observation, right behind its reply, in call order; no observation is without its call. */
export function expectPaired(messages: readonly Message[]): void {
  const expected = messages.flatMap((message) =>
    message.role === 'assistant'
      ? [message, ...message.calls.map((_, i) => callId(message.turn, message.step, i + 1))]
      : [],
  )
  const actual = messages.flatMap((message) =>
    message.role === 'user' ? [] : [message.role === 'tool' ? message.id : message],
  )
  expect(actual).toEqual(expected)
}
