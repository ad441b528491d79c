import type { LoadedDataConverter, Payload } from '@temporalio/common'
import { decodeFirst } from './decode.js'
import { milliseconds } from './event-time.js'
import type { End } from './finish-step.js'
import type { HistoryEvent } from './read-events.js'

/** An activity of a history: it was scheduled, or it ended. */
export interface ActivityEvent {
  readonly id: string
  readonly type: string
  readonly input: unknown
  readonly scheduledMs: number
  /** Left out when it was scheduled just now. */
  readonly end?: End
}

/** An activity that was scheduled and whose end has not been read yet. */
interface Pending extends ActivityEvent {
  attempts: number
  retryCause: string | null
}

/** Pairs the events of each activity: what it was asked, and how it ended. */
export class ActivityReader {
  readonly #converter: LoadedDataConverter
  readonly #pending = new Map<string, Pending>()

  constructor(converter: LoadedDataConverter) {
    this.#converter = converter
  }

  /** Takes one event; undefined unless an activity was scheduled or ended by it. */
  async take(event: HistoryEvent): Promise<ActivityEvent | undefined> {
    // Nothing of the execution before ends in this one.
    if (event.workflowExecutionStartedEventAttributes) this.#pending.clear()
    const { activityTaskScheduledEventAttributes: scheduled } = event
    if (scheduled) return await this.#schedule(event, scheduled)
    const started = event.activityTaskStartedEventAttributes
    if (!started) return await this.#end(event)
    const pending = this.#pending.get(String(started.scheduledEventId))
    if (pending) {
      pending.attempts = started.attempt ?? 1
      pending.retryCause = messageOf(started.lastFailure) ?? null
    }
    return undefined
  }

  async #schedule(
    event: HistoryEvent,
    { activityType, input }: NonNullable<HistoryEvent['activityTaskScheduledEventAttributes']>,
  ): Promise<ActivityEvent> {
    const pending = {
      id: String(event.eventId),
      type: activityType?.name ?? '',
      input: await decodeFirst(this.#converter, input?.payloads as Payload[] | undefined),
      scheduledMs: milliseconds(event.eventTime),
    }
    this.#pending.set(pending.id, { ...pending, attempts: 0, retryCause: null })
    return pending
  }

  async #end(event: HistoryEvent): Promise<ActivityEvent | undefined> {
    const completed = event.activityTaskCompletedEventAttributes
    const failed =
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskCanceledEventAttributes
    const pending = this.#pending.get(String((completed ?? failed)?.scheduledEventId ?? ''))
    if (pending === undefined) return undefined
    this.#pending.delete(pending.id)
    const { attempts, retryCause, ...activity } = pending
    const failure = failed && 'failure' in failed ? failed.failure : undefined
    const end: End = {
      result: await decodeFirst(this.#converter, completed?.result?.payloads as Payload[]),
      failure: completed ? null : (messageOf(failure) ?? 'cancelled'),
      ms: milliseconds(event.eventTime) - pending.scheduledMs,
      attempts,
      retryCause,
    }
    return { ...activity, end }
  }
}

/** What went wrong: a time-out of Temporal's has the last failure of the activity as its cause. */
function messageOf(failure: FailureOfEvent | null | undefined): string | undefined {
  return failure?.cause?.message ?? failure?.message ?? undefined
}

interface FailureOfEvent {
  readonly message?: string | null
  readonly cause?: FailureOfEvent | null
}
