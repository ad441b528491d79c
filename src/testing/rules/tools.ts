import { isObject, type JsonObject, type JsonValue } from '../../contract/json.js'
import { FUNCTION_NAME, type Violation } from '../violation.js'

/** Checks `tools` and the fields that are legal only beside it. */
export function checkTools(body: JsonObject): Violation[] {
  const tools = body['tools']
  if (tools === undefined) return checkNoTools(body)
  if (!Array.isArray(tools) || tools.length === 0) {
    const message = 'must be an array with at least one tool; leave the field out otherwise'
    return [{ rule: 'tools', path: 'tools', message }]
  }
  const list: readonly JsonValue[] = tools
  return [
    ...list.flatMap((tool, i) => checkTool(tool, `tools[${i}]`)),
    ...checkUnique(list.map(toolName)),
    ...checkChoice(body['tool_choice'], list.map(toolName)),
  ]
}

function checkNoTools(body: JsonObject): Violation[] {
  return ['tool_choice', 'parallel_tool_calls']
    .filter((field) => body[field] !== undefined)
    .map((path) => ({ rule: 'needs-tools', path, message: 'is only allowed beside tools' }))
}

function checkTool(tool: JsonValue, path: string): Violation[] {
  const fn = isObject(tool) && tool['type'] === 'function' ? tool['function'] : undefined
  if (!isObject(fn)) {
    const message = "must be an object with type 'function' and an object 'function'"
    return [{ rule: 'tools', path, message }]
  }
  const violations: Violation[] = []
  const name = fn['name']
  if (typeof name !== 'string' || !FUNCTION_NAME.test(name)) {
    const message = `must match ${FUNCTION_NAME.source}`
    violations.push({ rule: 'tool-name', path: `${path}.function.name`, message })
  }
  const description = fn['description']
  if (description !== undefined && typeof description !== 'string') {
    const message = 'must be a string'
    violations.push({ rule: 'tools', path: `${path}.function.description`, message })
  }
  const parameters = fn['parameters']
  if (!isObject(parameters) || parameters['type'] !== 'object') {
    const message = "must be a JSON schema with type 'object'"
    violations.push({ rule: 'tool-parameters', path: `${path}.function.parameters`, message })
  }
  return violations
}

function checkUnique(names: readonly (string | null)[]): Violation[] {
  const first = new Map<string, number>()
  return names.flatMap((name, i): Violation[] => {
    if (name === null) return []
    const before = first.get(name)
    if (before === undefined) {
      first.set(name, i)
      return []
    }
    const message = `'${name}' is the name of tools[${before}] already`
    return [{ rule: 'duplicate-tool', path: `tools[${i}].function.name`, message }]
  })
}

function checkChoice(
  choice: JsonValue | undefined,
  names: readonly (string | null)[],
): Violation[] {
  const fn = isObject(choice) ? choice['function'] : undefined
  const name = isObject(fn) ? fn['name'] : undefined
  if (typeof name !== 'string' || names.includes(name)) return []
  const message = `names the tool '${name}', which is not among the tools`
  return [{ rule: 'needs-tools', path: 'tool_choice.function.name', message }]
}

function toolName(tool: JsonValue): string | null {
  const fn = isObject(tool) ? tool['function'] : undefined
  const name = isObject(fn) ? fn['name'] : undefined
  return typeof name === 'string' ? name : null
}
