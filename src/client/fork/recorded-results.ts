import { dryKey } from '../../agent/dry-calls.js'
import { type ExecutionRecord, placeKey, type RunRecord } from '../../agent/run-record.js'
import type { ToolOutcome } from '../../contract/activities.js'
import type { RecordedResult } from '../../contract/fork.js'
import { isObject } from '../../contract/json.js'
import type { Manifest } from '../../contract/manifest.js'
import { remoteObservation } from '../../contract/remote-result.js'

/** Bytes of all recorded results: they are carried with the state. Calls beyond that count as not made. */
const MAX_BYTES = 300_000

/**
 * What calls of tools that write got in a run, by the key of the call: from `step` on the first result of
 * each, else the last one before. Calls that failed have none.
 */
export function recordedResults(
  { executions }: RunRecord,
  { tools }: Manifest,
  step: number,
): Record<string, RecordedResult> {
  const results = new Map<string, RecordedResult>()
  const taken = new Map<string, number>()
  for (const { key, at, result } of executions.flatMap((one) => writesOf(one, tools))) {
    if ((taken.get(key) ?? 0) >= step) continue
    taken.set(key, at)
    results.set(key, result)
  }
  return fitting([...results])
}

interface Write {
  readonly key: string
  /** The step of the call. */
  readonly at: number
  readonly result: RecordedResult
}

/** Calls of one execution that ended with a result, of tools that write, in order. */
function writesOf(
  { modelCalls, toolCalls }: ExecutionRecord,
  tools: Manifest['tools'],
): readonly Write[] {
  return [...modelCalls.values()].flat().flatMap(({ input, ending }) => {
    const calls = ending?.kind === 'result' ? ending.value.calls : []
    return calls.flatMap((call, i): Write[] => {
      const tool = tools.find(({ name }) => name === call.name)
      const made = toolCalls.get(placeKey({ ...input, call: i + 1 }))
      if (tool?.annotations.readOnlyHint === true || made?.kind !== 'result') return []
      return [{ key: dryKey(call), at: input.step, result: resultOf(made.value, tool?.remote) }]
    })
  })
}

function resultOf(value: unknown, remote: object | undefined): RecordedResult {
  if (remote !== undefined || !isObject(value)) return { text: remoteObservation(value) }
  const { text, error, size } = value as unknown as ToolOutcome
  return { text, ...(error ? { error } : {}), ...(size === undefined ? {} : { size }) }
}

/** The newest that fit. */
function fitting(
  all: readonly (readonly [string, RecordedResult])[],
): Record<string, RecordedResult> {
  let bytes = 0
  const kept = all.toReversed().filter((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(entry))
    return bytes <= MAX_BYTES
  })
  return Object.fromEntries(kept)
}
