import { defaultPayloadConverter } from '@temporalio/common'
import { msToTs } from '@temporalio/common/lib/time.js'
import type { HistoryEvent } from '../../../../src/client/history/read-events.js'

type Scheduled = NonNullable<HistoryEvent['activityTaskScheduledEventAttributes']>

function payloads(value: unknown): NonNullable<Scheduled['input']> {
  return { payloads: [defaultPayloadConverter.toPayload(value)] }
}

/** Events of a history, numbered from 1, a second apart. */
export function eventMaker() {
  let count = 0
  const event = (attributes: HistoryEvent): { id: number; event: HistoryEvent } => {
    count++
    const eventTime = msToTs(count * 1_000)
    return { id: count, event: { eventId: long(count), eventTime, ...attributes } }
  }
  return {
    begun: (input?: unknown) =>
      event({
        workflowExecutionStartedEventAttributes:
          input === undefined ? {} : { input: payloads(input) },
      }).event,
    /** The result of a local activity. */
    marked: (result: unknown) =>
      event({ markerRecordedEventAttributes: { details: { result: payloads(result) } } }).event,
    /** The marker of a local tool: Temporal writes what it knows beside the result, or the failure. */
    localTool: (data: object, ended: { readonly result: unknown } | { readonly failure: string }) =>
      event({
        markerRecordedEventAttributes: {
          details: {
            data: payloads(data),
            ...('result' in ended ? { result: payloads(ended.result) } : {}),
          },
          ...('failure' in ended ? { failure: { message: ended.failure } } : {}),
        },
      }).event,
    other: () => event({ workflowTaskCompletedEventAttributes: {} }).event,
    scheduled: (type: string, input?: unknown) =>
      event({
        activityTaskScheduledEventAttributes: {
          activityType: { name: type },
          ...(input === undefined ? {} : { input: payloads(input) }),
        },
      }),
    taskFailed: (message: string, cause = 14) =>
      event({ workflowTaskFailedEventAttributes: { cause, failure: { message } } }).event,
    started: (of: number, attempt = 1, lastFailure?: string) =>
      event({
        activityTaskStartedEventAttributes: {
          scheduledEventId: long(of),
          attempt,
          ...(lastFailure === undefined ? {} : { lastFailure: { message: lastFailure } }),
        },
      }).event,
    completed: (of: number, result: unknown) =>
      event({
        activityTaskCompletedEventAttributes: {
          scheduledEventId: long(of),
          result: payloads(result),
        },
      }).event,
    failed: (of: number, message: string) =>
      event({
        activityTaskFailedEventAttributes: { scheduledEventId: long(of), failure: { message } },
      }).event,
    timedOut: (of: number, message: string, cause?: string) =>
      event({
        activityTaskTimedOutEventAttributes: {
          scheduledEventId: long(of),
          failure: { message, ...(cause === undefined ? {} : { cause: { message: cause } }) },
        },
      }).event,
    cancelled: (of: number) =>
      event({ activityTaskCanceledEventAttributes: { scheduledEventId: long(of) } }).event,
  }
}

/** The server's 64-bit numbers. */
function long(value: number): NonNullable<HistoryEvent['eventId']> {
  const { seconds } = msToTs(value * 1_000)
  if (!seconds) throw new Error('no seconds')
  return seconds
}
