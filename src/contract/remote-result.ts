import { isObject } from './json.js'
import { jsonResult, NO_RESULT, observationText, textResult } from './observation-text.js'

/** Levels of a result that are shown, as of a tool in TypeScript; also keeps recursion off the stack's end. */
const MAX_DEPTH = 20

/**
 * The observation for what the activity of a remote tool returned, as Temporal's converter read it. Pure:
 * the workflow makes it, and whoever reads the history makes it again.
 */
export function remoteObservation(result: unknown): string {
  return observationText(toText(result))
}

function toText(result: unknown): string {
  // None, nil and void come as undefined or as null, by the SDK of the worker.
  if (result === undefined || result === null) return NO_RESULT
  if (typeof result === 'string') return textResult(result)
  if (ArrayBuffer.isView(result))
    return `[binary, ${Math.ceil(result.byteLength / 1_000)} kB, left out]`
  return jsonResult(JSON.stringify(shallow(result, MAX_DEPTH)))
}

/** The same JSON with what is below `depth` levels replaced by its kind. */
function shallow(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) {
    if (depth === 0 && value.length > 0) return '[Array]'
    return value.map((inner) => shallow(inner, depth - 1))
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  if (depth === 0 && entries.length > 0) return '[Object]'
  // Own properties, so that a key named __proto__ stays a plain key.
  return Object.fromEntries(entries.map(([key, inner]) => [key, shallow(inner, depth - 1)]))
}
