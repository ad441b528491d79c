import { isObject, type JsonObject } from '../contract/json.js'
import { MAX_CONTEXT_BYTES } from '../contract/names.js'
import { InvalidInputError } from './errors/invalid-input-error.js'

/** Temporal's own limit, told before anything is started. */
const MAX_ID_CHARS = 1_000

/** Checks a workflow id. */
export function checkId(id: string | undefined): void {
  if (id !== undefined && (id.trim() === '' || id.length > MAX_ID_CHARS)) {
    throw new InvalidInputError(`The id must have 1 to ${MAX_ID_CHARS} characters.`)
  }
}

/** Checks that a value is not too large for Temporal. */
export function checkSize(what: string, value: unknown, max: number, advice: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(value))
  if (bytes <= max) return
  throw new InvalidInputError(`The ${what} is ${bytes} bytes, ${max} at most: ${advice}.`)
}

/** The context as Temporal will store it, so that digests compare what workers see. */
export function checkedContext(context: object | undefined): JsonObject | null {
  const plain = plainJson(context)
  checkSize('context', plain, MAX_CONTEXT_BYTES, 'put an id there and let the tools look it up')
  return plain
}

function plainJson(context: object | undefined): JsonObject | null {
  if (context === undefined) return null
  try {
    const plain: unknown = JSON.parse(JSON.stringify(context))
    if (isObject(plain)) return plain
  } catch {
    // A circle or a bigint: told below.
  }
  throw new InvalidInputError('The context must be a JSON object, such as { customerId: "c7" }.')
}
