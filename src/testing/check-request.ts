import { isObject, type JsonObject, type JsonValue } from '../contract/json.js'
import { checkCallOrder, checkSystemFirst } from './rules/conversation.js'
import { checkMessage } from './rules/message.js'
import { checkTools } from './rules/tools.js'
import { checkValues } from './rules/values.js'
import type { Violation } from './violation.js'

/**
 * Checks the parsed body of a chat request against the rules that OpenAI's API holds its callers
 * to, and a few stricter ones that other servers need (`docs/testing.md` tells which). Pure.
 *
 * Unknown top-level fields are no violation.
 *
 * @returns every rule that the body breaks; empty when it is legal.
 */
export function checkRequest(body: unknown): Violation[] {
  if (!isObject(body)) return [{ rule: 'body', path: '', message: 'must be a JSON object' }]
  return [
    ...checkModel(body),
    ...checkMessages(body['messages']),
    ...checkTools(body),
    ...checkMaxTokens(body),
    ...checkValues(body, ''),
  ]
}

function checkModel(body: JsonObject): Violation[] {
  const model = body['model']
  if (typeof model === 'string' && model !== '') return []
  return [{ rule: 'model', path: 'model', message: 'must be a non-empty string' }]
}

function checkMessages(messages: JsonValue | undefined): Violation[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    const message = 'must be an array with at least one message'
    return [{ rule: 'messages', path: 'messages', message }]
  }
  const list: readonly JsonValue[] = messages
  return [
    ...list.flatMap((message, i) => checkMessage(message, `messages[${i}]`)),
    ...checkSystemFirst(list),
    ...checkCallOrder(list),
  ]
}

function checkMaxTokens(body: JsonObject): Violation[] {
  if (body['max_tokens'] === undefined || body['max_completion_tokens'] === undefined) return []
  const message = 'max_tokens and max_completion_tokens exclude each other'
  return [{ rule: 'max-tokens', path: 'max_tokens', message }]
}
