import type { Client, WorkflowExecutionStatusName } from '@temporalio/client'
import type { RunFailureDetail } from '../../contract/failures.js'
import type { JsonObject } from '../../contract/json.js'
import type { Manifest, ToolManifest } from '../../contract/manifest.js'
import { SESSION_TYPE, WORKFLOW_TYPE } from '../../contract/names.js'
import { RetryError } from '../errors/retry-error.js'
import { readEvents } from '../history/read-events.js'
import { type ActivityFacts, type ExecutionFacts, readFacts } from './execution-facts.js'
import { endOf, refusal } from './refusal.js'

/** A call that a retry makes again. */
export interface RepeatedCall {
  /** `model`: a request to the model; `read` and `write`: a tool, by its annotation `readOnlyHint`. */
  readonly kind: 'model' | 'read' | 'write'
  /** The model, or the tool. */
  readonly name: string
  readonly step: number
  /** The arguments of a tool; null for a model. */
  readonly args: JsonObject | null
  /** `done`: it has ended well, and shares the workflow task with the one that did not. */
  readonly was: 'failed' | 'done' | 'open'
  /** True: the tool says that a second call with the same idempotency key changes nothing more. */
  readonly idempotent: boolean
}

/** What a retry of a run does. */
export interface RetryPlan {
  readonly id: string
  /** The execution that is reset. */
  readonly runId: string
  /** How it ended, in one line. */
  readonly why: string
  /** The step at which it goes on; 0: the definition is read again. */
  readonly step: number
  /** Its idempotency keys are the same as before. Local tools, which only read, are not among them. */
  readonly again: readonly RepeatedCall[]
  /** The event of the workflow task that is reset to. */
  readonly eventId: number
}

/**
 * What a retry of a run would do. Changes nothing.
 *
 * @throws RetryError when it could not mend how the run ended
 */
export async function planRetry(client: Client, id: string): Promise<RetryPlan> {
  const { runId, status, type } = await client.workflow.getHandle(id).describe()
  if (type === SESSION_TYPE) {
    throw new RetryError(id, 'foreign', 'is a session: ask the question of the failed turn again.')
  }
  if (type !== WORKFLOW_TYPE) {
    throw new RetryError(
      id,
      'foreign',
      `is a workflow of type "${type}": use temporal workflow reset.`,
    )
  }
  const events = readEvents(client, { workflowId: id, runId, follow: false })
  const facts = await readFacts(events, client.options.loadedDataConverter)
  return await planOf({ id, runId, status: status.name }, facts, client)
}

interface Execution {
  readonly id: string
  readonly runId: string
  readonly status: WorkflowExecutionStatusName
}

async function planOf(
  { id, runId, status }: Execution,
  facts: ExecutionFacts,
  client: Client,
): Promise<RetryPlan> {
  const end = await endOf(status, facts, client.options.loadedDataConverter)
  const refused = refusal(id, end)
  if (refused !== null) throw refused
  const detail = end.kind === 'failed' ? end.detail : undefined
  const eventId = resetPoint(facts, detail)
  const again = repeated(facts, eventId).map((activity) => callOf(activity, facts.manifest))
  const steps = again.map(({ step }) => step)
  const step = detail?.step ?? Math.max(0, ...steps)
  return { id, runId, why: end.why, step, again, eventId }
}

/** The workflow task that scheduled the failed activity; the newest one where none has failed. */
function resetPoint(
  { activities, lastTask }: ExecutionFacts,
  detail: Pick<RunFailureDetail, 'activityId'> | undefined,
): number {
  const failed = activities.find(({ activityId }) => activityId === detail?.activityId)
  return failed?.taskEventId ?? lastTask?.eventId ?? 0
}

/** What the history does not hold any more once it ends before the event. */
function repeated({ activities }: ExecutionFacts, eventId: number): ActivityFacts[] {
  return activities.filter(
    ({ taskEventId, end }) => taskEventId >= eventId || end === null || end.eventId > eventId,
  )
}

/** Activities of this package that ask the model. */
const MODEL_TYPES = new Set(['callModel', 'chooseStrategy', 'summarize'])

function callOf({ type, input, end }: ActivityFacts, manifest: Manifest | undefined): RepeatedCall {
  const { step = 0, args = {}, model = manifest?.model ?? '' } = input
  const was = end === null ? 'open' : end.failed ? 'failed' : 'done'
  if (MODEL_TYPES.has(type)) {
    return { kind: 'model', name: model, step, args: null, was, idempotent: false }
  }
  const tool = manifest?.tools.find(({ activityType }) => activityType === type)
  return {
    kind: isWrite(tool, type) ? 'write' : 'read',
    name: tool?.name ?? type,
    step,
    args,
    was,
    idempotent: tool?.annotations.idempotentHint === true,
  }
}

function isWrite(tool: ToolManifest | undefined, type: string): boolean {
  return type !== 'read_more' && tool?.annotations.readOnlyHint !== true
}
