import { codePlaces } from './code-places.js'

/** What the error of a replay tells. */
export interface ToldError {
  /** True: the workflow code threw; else it did something else than what is recorded. */
  readonly isThrown: boolean
  readonly message: string
  readonly at: readonly string[]
}

/** How the SDK says that a workflow task failed by what the code threw. */
const THROWN = /due workflow task failure/

/** Takes apart the error of a replay: the SDK puts a failure into its message, in Rust's notation. */
export function readReplayError({ message }: Error): ToldError {
  const inner = quoted(message, 'message') ?? message
  const stack = quoted(message, 'stack_trace') ?? ''
  return {
    isThrown: THROWN.test(message),
    message: inner.replace(/^\[TMPRL1100\] Nondeterminism error: /, ''),
    at: codePlaces(stack),
  }
}

function quoted(text: string, field: string): string | undefined {
  const found = new RegExp(`\\b${field}: "((?:[^"\\\\]|\\\\.)*)"`).exec(text)?.[1]
  return found?.replace(/\\(u\{([0-9a-f]+)\}|.)/g, (_, char: string, code?: string) =>
    code === undefined ? (ESCAPES[char] ?? char) : String.fromCodePoint(Number.parseInt(code, 16)),
  )
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' }
