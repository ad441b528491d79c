import type { ConversationReference } from '../contract/activities.js'
import {
  type AssistantMessage,
  callId,
  type Message,
  type ToolMessage,
  type UserMessage,
} from '../contract/messages.js'
import type { ModelReply } from '../contract/reply.js'
import type { RunState } from '../contract/run.js'
import { digestOf, extendDigest } from './digest.js'
import { estimatedSize, sizesOf } from './sizes.js'

/** The message that a user's text becomes. The worker's cache and the workflow must agree on it. */
export function userMessage(text: string): UserMessage {
  return { role: 'user', text: text.toWellFormed() }
}

/** The message that a reply becomes. The worker's cache and the workflow must agree on it. */
export function assistantMessage(reply: ModelReply, turn: number, step: number): AssistantMessage {
  return { role: 'assistant', text: reply.text, calls: reply.calls, turn, step }
}

/** The message that an observation becomes. `call` counts from 1. */
export function toolMessage(at: AssistantMessage, call: number, text: string): ToolMessage {
  return { role: 'tool', id: callId(at.turn, at.step, call), text }
}

/** A message that joins the conversation. */
export interface Sized {
  readonly message: Message
  /** Its tokens, as a worker counted them. @default estimated */
  readonly size?: number | undefined
}

/** Adds a message to the conversation and keeps its digest. */
export function append(state: RunState, message: Message, size = estimatedSize(message)): void {
  sizesOf(state).push(size)
  state.messages.push(message)
  state.digest = extendDigest(state.digest, message)
}

/** Takes what the user said while the turn was running into the conversation. */
export function takeSteering(state: RunState): void {
  for (const text of state.steering ?? []) append(state, { ...userMessage(text), kind: 'steering' })
  delete state.steering
}

/** Keeps the messages of these places alone, after a first one if there is one. */
export function replaceMessages(state: RunState, places: readonly number[], first?: Sized): void {
  const said = lastSaid(state)
  const sizes = sizesOf(state)
  const { messages } = state
  const kept = places.flatMap((place): Sized[] => {
    const message = messages[place]
    return message === undefined ? [] : [{ message, size: sizes[place] }]
  })
  const all = first === undefined ? kept : [first, ...kept]
  state.messages = all.map(({ message }) => message)
  state.sizes = all.map(({ message, size }) => size ?? estimatedSize(message))
  if (said !== lastSaid(state)) state.said = said
  state.digest = digestOf(state.manifest, state.messages)
}

/** The conversation as the next model call is given it: by reference. */
export function referenceTo({ turn, step, messages, digest }: RunState): ConversationReference {
  return { turn, step: step + 1, count: messages.length, digest }
}

/** The newest text that the model said, or '' when it said none. */
export function lastText(messages: readonly Message[]): string {
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i]
    if (message?.role === 'assistant' && message.text.trim() !== '') return message.text
  }
  return ''
}

/** The newest text that the model said in this turn, be it left out of the conversation by now. */
export function lastSaid({ messages, said = '' }: Pick<RunState, 'messages' | 'said'>): string {
  return lastText(messages) || said
}

/** Note in the place of an observation that had to be dropped. */
const DROPPED = '[an old result, dropped because the conversation grew too long]'

/** Parts of the state that only save work. */
const SPARE = ['cache', 'rests'] as const

/**
 * Drops cached results, then what was cut, then the texts of the oldest observations, until the state's
 * JSON fits `maxBytes`. Calls and their answers stay paired. A state that cannot be made to fit stays as
 * it is.
 *
 * @returns true when it fits
 */
export function shrink(state: RunState, maxBytes: number): boolean {
  const sizes = sizesOf(state)
  let excess = utf8Length(JSON.stringify(state)) - maxBytes
  const spared = SPARE.filter((part) => {
    if (excess <= 0 || state[part] === undefined) return false
    excess -= utf8Length(`,"${part}":${JSON.stringify(state[part])}`)
    return true
  })
  const shorter = new Map<number, ToolMessage>()
  for (const [index, message] of state.messages.entries()) {
    if (excess <= 0) break
    if (message.role !== 'tool') continue
    const dropped = { ...message, text: DROPPED }
    const before = utf8Length(JSON.stringify([message, sizes[index]]))
    const saved = before - utf8Length(JSON.stringify([dropped, estimatedSize(dropped)]))
    if (saved <= 0) continue
    excess -= saved
    shorter.set(index, dropped)
  }
  if (excess > 0) return false
  for (const part of spared) delete state[part]
  if (shorter.size === 0) return true
  for (const [index, message] of shorter) sizes[index] = estimatedSize(message)
  state.messages = state.messages.map((message, index) => shorter.get(index) ?? message)
  state.digest = digestOf(state.manifest, state.messages)
  return true
}

/** Bytes of a text in UTF-8. The sandbox's TextEncoder would allocate them. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x80) bytes += code >= 0x800 && !(code >= 0xd800 && code <= 0xdfff) ? 2 : 1
  }
  return bytes
}
