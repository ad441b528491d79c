import type { JsonObject, JsonValue } from '../../contract/json.js'
import { shorten } from '../../contract/text.js'

/** Characters of a default in a description at most. */
const MAX_DEFAULT_CHARS = 200
/** https://platform.openai.com/docs/guides/structured-outputs, section "Supported properties". */
const FORMATS: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
])
const NUMBER_LIMITS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
] as const
const LIST_LIMITS = ['minItems', 'maxItems'] as const
// OpenAI: "regex lookaround is not supported". References back, word ends and Unicode classes are no part
// of what engines for constrained output know either.
const UNSUPPORTED_PATTERN = /\(\?(?:[=!]|<[=!])|\\[1-9kpPbB]/
const ESCAPES_AND_CLASSES = /\\.|\[(?:\\.|[^\]\\])*\]/gsu
const ANCHORED_AT_MOST_OUTSIDE = /^\^?[^^$]*\$?$/

/** What strict mode can say of a text. */
export function textKeywords({ format, pattern }: JsonObject): JsonObject {
  return {
    ...(format !== undefined && FORMATS.has(format) ? { format } : {}),
    ...(typeof pattern === 'string' && isSupported(pattern) ? { pattern } : {}),
  }
}

function isSupported(pattern: string): boolean {
  const bare = pattern.replaceAll(ESCAPES_AND_CLASSES, '')
  return !UNSUPPORTED_PATTERN.test(pattern) && ANCHORED_AT_MOST_OUTSIDE.test(bare)
}

/** What strict mode can say of a number. */
export function numberKeywords(schema: JsonObject): JsonObject {
  return numbers(schema, NUMBER_LIMITS)
}

/** What strict mode can say of a list, beside its items. */
export function listKeywords(schema: JsonObject): JsonObject {
  return numbers(schema, LIST_LIMITS)
}

function numbers(schema: JsonObject, keywords: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) => keywords.includes(keyword) && typeof value === 'number',
    ),
  )
}

/** The same strict schema with the description and the default of `source` told in words. */
export function withDescription(shape: JsonObject, source: JsonObject): JsonObject {
  const { description, default: fallback } = source
  const words = [description, shape['description'], defaultText(fallback)].filter(
    (part, i, all) => typeof part === 'string' && part !== '' && all.indexOf(part) === i,
  )
  if (words.length === 0) return shape
  // OpenAI: "$ref cannot have keywords {'description'}".
  const inner = shape['$ref'] === undefined ? shape : { anyOf: [shape] }
  return { ...inner, description: words.map(String).reduce(joined) }
}

/** Strict mode knows no `default`: the model reads what a null stands for. */
function defaultText(fallback: JsonValue | undefined): string | undefined {
  if (fallback === undefined || fallback === null) return undefined
  return `Default: ${shorten(JSON.stringify(fallback), MAX_DEFAULT_CHARS)}.`
}

function joined(text: string, more: string): string {
  return /[.!?:]\s*$/.test(text) ? `${text.trimEnd()} ${more}` : `${text.trimEnd()}. ${more}`
}
