import type { LoadedDataConverter, Payload, ProtoFailure } from '@temporalio/common'
import type { ToolCallInput } from '../../contract/activities.js'
import { isObject } from '../../contract/json.js'
import type { Manifest } from '../../contract/manifest.js'
import { decodeFirst } from '../history/decode.js'
import type { HistoryEvent } from '../history/read-events.js'
import { RunRecorder } from '../history/run-record.js'
import { NO_FAULT } from '../history/transcript.js'

/** One activity of an execution. */
export interface ActivityFacts {
  readonly activityId: string
  readonly type: string
  /** Its input, as far as it is known to say where the activity stands. */
  readonly input: { readonly step?: number; readonly model?: string } & Partial<ToolCallInput>
  /** The event of the workflow task that scheduled it. */
  readonly taskEventId: number
  end: { readonly eventId: number; readonly failed: boolean } | null
}

/** The newest event of a workflow task: a point to which the server resets. */
interface TaskEvent {
  readonly eventId: number
  readonly kind: 'started' | 'completed' | 'failed' | 'timed_out'
}

/** What the history of one execution tells of its end, and of what was done before. */
export interface ExecutionFacts {
  readonly activities: readonly ActivityFacts[]
  readonly lastTask: TaskEvent | null
  /** Why the workflow task that is to come has failed before; null when it has not. */
  readonly taskFailure: ProtoFailure | null
  /** The failure with which it ended. */
  readonly failure: ProtoFailure | null
  /** The result, where it completed. */
  readonly result: unknown
  /** Undefined when the definition could not be read. */
  readonly manifest: Manifest | undefined
}

/** Reads the history of one execution for a retry. */
export async function readFacts(
  events: AsyncIterable<HistoryEvent>,
  converter: LoadedDataConverter,
): Promise<ExecutionFacts> {
  const activities = new Map<string, ActivityFacts>()
  const recorder = new RunRecorder(converter)
  let lastTask: TaskEvent | null = null
  let taskFailure: ProtoFailure | null = null
  let failure: ProtoFailure | null = null
  let result: unknown
  for await (const event of events) {
    await recorder.take(event)
    lastTask = taskEvent(event) ?? lastTask
    if (lastTask?.kind === 'completed') taskFailure = null
    taskFailure = realFailure(event) ?? taskFailure
    failure = event.workflowExecutionFailedEventAttributes?.failure ?? failure
    const completed = event.workflowExecutionCompletedEventAttributes
    if (completed) result = await decodeFirst(converter, completed.result?.payloads as Payload[])
    await takeActivity(activities, event, converter)
  }
  const start = recorder.record.executions.at(-1)?.start
  const manifest = start && ('state' in start ? start.state.manifest : start.manifest)
  return { activities: [...activities.values()], lastTask, taskFailure, failure, result, manifest }
}

function taskEvent(event: HistoryEvent): TaskEvent | null {
  const eventId = Number(event.eventId)
  if (event.workflowTaskStartedEventAttributes) return { eventId, kind: 'started' }
  if (event.workflowTaskCompletedEventAttributes) return { eventId, kind: 'completed' }
  if (event.workflowTaskTimedOutEventAttributes) return { eventId, kind: 'timed_out' }
  return event.workflowTaskFailedEventAttributes ? { eventId, kind: 'failed' } : null
}

/** The failure of a workflow task, unless it is no fault of the code. */
function realFailure({ workflowTaskFailedEventAttributes: failed }: HistoryEvent) {
  return NO_FAULT.has(failed?.cause) ? undefined : failed?.failure
}

async function takeActivity(
  activities: Map<string, ActivityFacts>,
  event: HistoryEvent,
  converter: LoadedDataConverter,
): Promise<void> {
  const eventId = Number(event.eventId)
  const scheduled = event.activityTaskScheduledEventAttributes
  if (scheduled) {
    const input = await decodeFirst(converter, scheduled.input?.payloads as Payload[] | undefined)
    activities.set(String(eventId), {
      activityId: scheduled.activityId ?? '',
      type: scheduled.activityType?.name ?? '',
      input: isObject(input) ? (input as ActivityFacts['input']) : {},
      taskEventId: Number(scheduled.workflowTaskCompletedEventId),
      end: null,
    })
    return
  }
  const completed = event.activityTaskCompletedEventAttributes
  const ended =
    completed ??
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.activityTaskCanceledEventAttributes
  const activity = activities.get(String(ended?.scheduledEventId ?? ''))
  if (activity !== undefined) activity.end = { eventId, failed: !completed }
}
