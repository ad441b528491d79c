import { buildPrompt } from '../agent/prompt.js'
import { rebuildCall } from '../agent/rebuild.js'
import { RebuildError } from '../agent/rebuild-error.js'
import { placeKey, type RunRecord } from '../agent/run-record.js'
import type { JsonObject } from '../contract/json.js'
import { type Dialect, requestBody } from '../models/request-body.js'

/** Which request is wanted, and how the model's server differs from OpenAI's: the worker alone knows. */
export interface StepRequestOptions {
  /** @default 1 */
  readonly turn?: number
  readonly step: number
  /** As the model's option. @default true */
  readonly stream?: boolean
  /** As the model's option. @default 'full' */
  readonly schema?: Dialect['schema']
}

/**
 * The body of the request that a step's model answered, as it was sent: after strategies, memory and the
 * parameters that this model had refused so far in the run.
 *
 * @throws RebuildError when the run did not come to the step, or today's code builds another prompt
 */
export async function stepRequest(
  record: RunRecord,
  { turn = 1, step, stream = true, schema = 'full' }: StepRequestOptions,
): Promise<JsonObject> {
  const { state, input } = await rebuildCall(record, { turn, step })
  const calls = record.executions.flatMap(({ modelCalls }) => [...modelCalls.values()].flat())
  // The first model may have failed, and another one taken over.
  const asked = record.executions.flatMap(({ modelCalls }) => modelCalls.get(placeKey(input)) ?? [])
  const last = asked.at(-1)
  if (last === undefined) throw new RebuildError(`The run did not come to step ${step}.`)
  const nameOf = ({ model = state.manifest.model }: { readonly model?: string }) => model
  const model = nameOf(last.input)
  const refused = calls.flatMap(({ input: other, ending }) => {
    const before = other.turn < turn || (other.turn === turn && other.step <= step)
    if (!before || nameOf(other) !== model || ending?.kind !== 'result') return []
    return ending.value.adapted ?? []
  })
  const prompt = { ...buildPrompt(state.manifest, state.messages, input), model }
  return requestBody(prompt, { stream, schema, refused: new Set(refused) })
}
