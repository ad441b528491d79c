import {
  cutJson,
  cutStream,
  hang,
  html,
  type Reply,
  reset,
  say,
  status,
} from '../../src/testing/index.js'
import { chance, pick } from './seeded.js'

/** What may go wrong, how often, and how often in a row. */
export interface Weather {
  readonly seed: number
  /** Share of model requests that fault. */
  readonly modelFaults: number
  /** Share of calls of read-only tools that fault. */
  readonly toolFaults: number
  /** Faults in a row for one call at most. */
  readonly inARow: number
}

const cut = say('This reply never arrives as a whole, since its connection breaks.')

/** Faults of the model, by name. Hints are within what perdure waits for. */
const MODEL_FAULTS: Readonly<Record<string, () => Reply>> = {
  '429, retry-after-ms': () => status(429, { headers: { 'retry-after-ms': '80' } }),
  '429, retry-after in seconds': () => status(429, { headers: { 'retry-after': '1' } }),
  '429, retry-after as date': () => {
    const headers = { 'retry-after': new Date(Date.now() + 1_500).toUTCString() }
    return status(429, { headers })
  },
  '429, no hint': () => status(429),
  '429, bad hints': () =>
    status(429, { headers: { 'retry-after-ms': 'soon', 'retry-after': '-5' } }),
  500: () => status(500),
  503: () => status(503),
  'HTML of a proxy': () => html(502),
  'reset before headers': () => reset('before'),
  'reset in the body': () => reset('body', cut),
  'hang before headers': () => hang(),
  'hang in the body': () => hang('body', cut),
  'cut JSON': () => cutJson(cut),
  'cut stream': () => cutStream(cut),
}

/** The name of the fault that an attempt at a call meets, or null. */
export function modelFault(weather: Weather, call: string, attempt: number): string | null {
  return strikes(weather, weather.modelFaults, `model ${call}`, attempt)
    ? pick(Object.keys(MODEL_FAULTS), weather.seed, call, attempt)
    : null
}

/** The reply that a fault is. */
export function faultReply(name: string): Reply {
  const make = MODEL_FAULTS[name]
  if (make === undefined) throw new Error(`no fault "${name}"`)
  return make()
}

/** How a read-only tool fails at an attempt, or null. */
export function toolFault(
  weather: Weather,
  call: string,
  attempt: number,
): 'throws' | 'hangs' | null {
  return strikes(weather, weather.toolFaults, `tool ${call}`, attempt)
    ? pick(['throws', 'hangs'] as const, weather.seed, call, attempt)
    : null
}

function strikes({ seed, inARow }: Weather, share: number, call: string, attempt: number): boolean {
  const row = Array.from({ length: Math.min(inARow, attempt - 1) }, (_, i) => attempt - 1 - i)
  const struck = (at: number) => chance(seed, call, at) < share
  return struck(attempt) && !(row.length === inARow && row.every(struck))
}
