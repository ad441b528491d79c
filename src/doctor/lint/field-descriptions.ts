import { isObject, type JsonObject, type JsonValue } from '../../contract/json.js'
import type { LintRule } from './lint-rule.js'

/** Fields that are named in one warning. */
const MAX_NAMED = 5
const BRANCHES = ['anyOf', 'oneOf', 'allOf'] as const

/** A model fills a field that nobody describes by its name alone. */
export const fieldDescriptions: LintRule = {
  name: 'field-descriptions',
  check: (tools) =>
    tools.flatMap(({ name, parameters }) => {
      const fields = [...new Set(undescribed({ root: parameters, seen: [] }, parameters, ''))]
      if (fields.length === 0) return []
      const more = fields.length > MAX_NAMED ? ` and ${fields.length - MAX_NAMED} more` : ''
      const named = `${fields.slice(0, MAX_NAMED).join(', ')}${more}`
      return [{ tool: name, text: `nothing describes ${named}`, fix: "add .describe('…')" }]
    }),
}

interface Walk {
  readonly root: JsonObject
  /** References that are being followed: a schema may hold itself. */
  readonly seen: readonly string[]
}

/** The fields at or below a schema that have no description, as paths such as `lines[].sku`. */
function undescribed(walk: Walk, schema: JsonValue | undefined, path: string): string[] {
  if (!isObject(schema)) return []
  const ref = schema['$ref']
  if (typeof ref === 'string') {
    if (walk.seen.includes(ref)) return []
    const seen = [...walk.seen, ref]
    return undescribed({ ...walk, seen }, definition(walk.root, ref), path)
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  return [
    ...Object.entries(properties).flatMap(([name, field]) => {
      const at = path === '' ? name : `${path}.${name}`
      const own = isDescribed(walk, field) ? [] : [at]
      return [...own, ...undescribed(walk, field, at)]
    }),
    ...undescribed(walk, schema['items'], `${path}[]`),
    ...branches(schema).flatMap((branch) => undescribed(walk, branch, path)),
  ]
}

/** Described at the field, at what it refers to, or at one of the forms that it may have. */
function isDescribed(walk: Walk, schema: JsonValue): boolean {
  if (!isObject(schema)) return true
  // A value that is always the same needs no words; neither does an object whose fields have them.
  if ('const' in schema || schema['description'] !== undefined) return true
  if (isObject(schema['properties'])) return true
  const ref = schema['$ref']
  if (typeof ref === 'string') {
    if (walk.seen.includes(ref)) return true
    return isDescribed({ ...walk, seen: [...walk.seen, ref] }, definition(walk.root, ref))
  }
  if (isObject(schema['items'])) return isDescribed(walk, schema['items'])
  return branches(schema).some((branch) => isNamed(branch) && isDescribed(walk, branch))
}

/** The branch of null describes nothing. */
function isNamed(branch: JsonValue): boolean {
  return isObject(branch) && branch['type'] !== 'null'
}

function branches(schema: JsonObject): readonly JsonValue[] {
  return BRANCHES.flatMap((key) => {
    const list = schema[key]
    return Array.isArray(list) ? (list as readonly JsonValue[]) : []
  })
}

function definition(root: JsonObject, ref: string): JsonValue {
  const [, group = '', name = ''] = ref.split('/')
  const definitions = root[group]
  const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
  // What cannot be found (the root itself, "#") counts as described.
  return (isObject(definitions) ? definitions[key] : null) ?? null
}
