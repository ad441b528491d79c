import { isObject, type JsonObject, type JsonValue } from '../../contract/json.js'
import { FUNCTION_NAME, type Violation } from '../violation.js'
import { checkValues } from './values.js'

const ROLES: readonly unknown[] = ['system', 'developer', 'user', 'assistant', 'tool']

/** OpenAI's limit on the id of a call, in characters. */
const MAX_ID_LENGTH = 40

/** Checks one message by itself, without its neighbours. */
export function checkMessage(message: JsonValue, path: string): Violation[] {
  if (!isObject(message)) return [{ rule: 'messages', path, message: 'must be an object' }]
  const role = message['role']
  if (!ROLES.includes(role)) {
    return [{ rule: 'role', path: `${path}.role`, message: `must be one of ${ROLES.join(', ')}` }]
  }
  switch (role) {
    case 'assistant':
      return checkAssistant(message, path)
    case 'user':
      return checkUserContent(message['content'], `${path}.content`)
    case 'tool':
      return [
        ...checkStringContent(message['content'], `${path}.content`),
        ...checkAnswerId(message['tool_call_id'], `${path}.tool_call_id`),
      ]
    default:
      return checkStringContent(message['content'], `${path}.content`)
  }
}

function checkStringContent(content: JsonValue | undefined, path: string): Violation[] {
  if (typeof content === 'string') return []
  return [{ rule: 'content', path, message: 'must be a string' }]
}

function checkUserContent(content: JsonValue | undefined, path: string): Violation[] {
  const isParts = Array.isArray(content) && content.length > 0 && content.every(isTextPart)
  if (typeof content === 'string' || isParts) return []
  return [{ rule: 'content', path, message: "must be a string or an array of 'text' parts" }]
}

function isTextPart(part: unknown): boolean {
  return isObject(part) && part['type'] === 'text' && typeof part['text'] === 'string'
}

function checkAnswerId(id: JsonValue | undefined, path: string): Violation[] {
  if (typeof id === 'string' && id !== '') return []
  return [{ rule: 'call-id', path, message: 'must name the call that the message answers' }]
}

function checkAssistant(message: JsonObject, path: string): Violation[] {
  const calls = message['tool_calls']
  const content = message['content']
  const violations: Violation[] = []
  if (content === undefined || content === null) {
    if (calls === undefined) {
      const text = 'must be a string when the message has no tool_calls'
      violations.push({ rule: 'content', path: `${path}.content`, message: text })
    }
  } else {
    violations.push(...checkStringContent(content, `${path}.content`))
  }
  return [...violations, ...checkCalls(calls, `${path}.tool_calls`)]
}

function checkCalls(calls: JsonValue | undefined, path: string): Violation[] {
  if (calls === undefined) return []
  if (!Array.isArray(calls) || calls.length === 0) {
    const message = 'must be an array with at least one call; leave the field out otherwise'
    return [{ rule: 'tool-calls', path, message }]
  }
  const list: readonly JsonValue[] = calls
  return list.flatMap((call, i) => checkCall(call, `${path}[${i}]`))
}

function checkCall(call: JsonValue, path: string): Violation[] {
  const fn = isObject(call) && call['type'] === 'function' ? call['function'] : undefined
  if (!isObject(call) || !isObject(fn)) {
    const message = "must be an object with type 'function' and an object 'function'"
    return [{ rule: 'tool-calls', path, message }]
  }
  const violations: Violation[] = []
  const id = call['id']
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID_LENGTH) {
    const message = `must be a string of 1 to ${MAX_ID_LENGTH} characters`
    violations.push({ rule: 'call-id', path: `${path}.id`, message })
  }
  const name = fn['name']
  if (typeof name !== 'string' || !FUNCTION_NAME.test(name)) {
    const message = `must match ${FUNCTION_NAME.source}`
    violations.push({ rule: 'call-name', path: `${path}.function.name`, message })
  }
  return [...violations, ...checkArguments(fn['arguments'], `${path}.function.arguments`)]
}

function checkArguments(text: JsonValue | undefined, path: string): Violation[] {
  const args = typeof text === 'string' ? parsed(text) : undefined
  if (!isObject(args)) {
    const message = 'must be a string that holds a JSON object'
    return [{ rule: 'call-arguments', path, message }]
  }
  // The text itself may be plain ASCII while its escapes spell a lone surrogate.
  return checkValues(args, path)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
