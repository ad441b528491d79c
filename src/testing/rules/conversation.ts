import { isObject, type JsonObject, type JsonValue } from '../../contract/json.js'
import type { Violation } from '../violation.js'

/** Checks that system and developer messages stand before all others. */
export function checkSystemFirst(messages: readonly JsonValue[]): Violation[] {
  const isSystem = messages.map((message) => {
    const role = isObject(message) ? message['role'] : undefined
    return role === 'system' || role === 'developer'
  })
  const firstOther = isSystem.indexOf(false)
  if (firstOther === -1) return []
  return isSystem.flatMap((system, i): Violation[] => {
    if (!system || i < firstOther) return []
    const message = 'system and developer messages must stand before all others'
    return [{ rule: 'system-first', path: `messages[${i}]`, message }]
  })
}

interface CallState {
  /** Ids of every call so far. */
  readonly seen: Set<string>
  /** Calls of the newest assistant message without an answer so far: id → path. */
  readonly pending: Map<string, string>
  /** Calls of the newest assistant message that are answered. */
  readonly answered: Set<string>
  readonly violations: Violation[]
}

/**
 * Checks that each call is answered exactly once, by a tool message that follows its assistant
 * message with nothing but other tool messages in between.
 */
export function checkCallOrder(messages: readonly JsonValue[]): Violation[] {
  const state: CallState = {
    seen: new Set(),
    pending: new Map(),
    answered: new Set(),
    violations: [],
  }
  for (const [i, message] of messages.entries()) {
    const path = `messages[${i}]`
    if (isObject(message) && message['role'] === 'tool') {
      takeAnswer(state, message, path)
    } else {
      closeCalls(state)
      if (isObject(message) && message['role'] === 'assistant') takeCalls(state, message, path)
    }
  }
  closeCalls(state)
  return state.violations
}

function takeAnswer(state: CallState, message: JsonObject, path: string): void {
  const id = message['tool_call_id']
  if (typeof id !== 'string') return
  if (state.pending.delete(id)) {
    state.answered.add(id)
  } else if (state.answered.has(id)) {
    const text = `the call '${id}' is answered already`
    state.violations.push({ rule: 'answered-twice', path, message: text })
  } else {
    const text = `there is no call '${id}' in the assistant message just before`
    state.violations.push({ rule: 'answer-without-call', path, message: text })
  }
}

function takeCalls(state: CallState, message: JsonObject, path: string): void {
  const calls = message['tool_calls']
  if (!Array.isArray(calls)) return
  const list: readonly JsonValue[] = calls
  for (const [i, call] of list.entries()) {
    const id = isObject(call) ? call['id'] : undefined
    if (typeof id !== 'string') continue
    const callPath = `${path}.tool_calls[${i}]`
    if (state.seen.has(id)) {
      const text = `'${id}' is the id of an earlier call`
      state.violations.push({ rule: 'duplicate-call-id', path: `${callPath}.id`, message: text })
    }
    state.seen.add(id)
    state.pending.set(id, callPath)
  }
}

function closeCalls(state: CallState): void {
  for (const [id, path] of state.pending) {
    const message = `the call '${id}' has no tool message that answers it directly after`
    state.violations.push({ rule: 'unanswered-call', path, message })
  }
  state.pending.clear()
  state.answered.clear()
}
