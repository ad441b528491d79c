import { isObject } from '../../contract/json.js'
import type { Decision } from '../decision.js'

/** What a person typed of a call that waits for approval. */
export type TypedDecision = Decision | { readonly kind: 'unclear'; readonly message: string }

/** What may be typed. */
export const DECISIONS =
  'y: approve · a: approve this tool for the turn · e {json}: approve with other arguments · n [why]: deny'

/** Reads what was typed of a call. */
export function readDecision(text: string): TypedDecision {
  const [, letter = '', rest = ''] = /^\s*(\S+)\s*(.*)$/s.exec(text) ?? []
  switch (letter.toLowerCase()) {
    case 'y':
    case 'yes':
      return { kind: 'approve', all: false }
    case 'a':
    case 'all':
      return { kind: 'approve', all: true }
    case 'n':
    case 'no':
      return { kind: 'deny', reason: rest.trim() }
    case 'e':
    case 'edit':
      return edited(rest)
    default:
      return { kind: 'unclear', message: DECISIONS }
  }
}

function edited(text: string): TypedDecision {
  try {
    const args: unknown = JSON.parse(text)
    if (isObject(args)) return { kind: 'approve', all: false, args }
  } catch {
    // Told below.
  }
  return { kind: 'unclear', message: `Give the arguments as a JSON object: e {"amount": 80}` }
}
