import type { HistoryEvent } from '../client/history/read-events.js'
import { isObject } from '../contract/json.js'
import type { TracedCommand } from './sandbox/trace-commands.js'
import type { Command } from './verdict.js'

/** Where a history and the commands of the code part. */
export interface Difference {
  /** The event; null when the history has no further one. */
  readonly event: { readonly id: number; readonly type: string } | null
  readonly recorded: Command | null
  readonly wanted: Command | null
  /** The stack of the code's command. */
  readonly stack: string
}

/** The kinds of commands, by the fields of the SDK's commands. Cancellations leave no event of their own. */
const MADE: Readonly<Record<string, string>> = {
  scheduleActivity: 'activity',
  scheduleLocalActivity: 'local activity',
  startTimer: 'timer',
  setPatchMarker: 'patch',
  upsertWorkflowSearchAttributes: 'search attributes',
  modifyWorkflowProperties: 'memo',
  startChildWorkflowExecution: 'child workflow',
  signalExternalWorkflowExecution: 'signal',
  completeWorkflowExecution: 'completion',
  failWorkflowExecution: 'failure',
  cancelWorkflowExecution: 'cancellation',
  continueAsNewWorkflowExecution: 'continue-as-new',
}

/** The same kinds, by the attributes of the events that they become. */
const RECORDED: Readonly<Record<string, string>> = {
  timerStartedEventAttributes: 'timer',
  upsertWorkflowSearchAttributesEventAttributes: 'search attributes',
  workflowPropertiesModifiedEventAttributes: 'memo',
  startChildWorkflowExecutionInitiatedEventAttributes: 'child workflow',
  signalExternalWorkflowExecutionInitiatedEventAttributes: 'signal',
  workflowExecutionCompletedEventAttributes: 'completion',
  workflowExecutionFailedEventAttributes: 'failure',
  workflowExecutionCanceledEventAttributes: 'cancellation',
  workflowExecutionContinuedAsNewEventAttributes: 'continue-as-new',
}

interface Recorded extends Command {
  readonly event: { readonly id: number; readonly type: string }
}

interface Made extends Command {
  readonly stack: string
}

/** The first event that is not what the code makes; null when all that can be compared is the same. */
export function firstDifference(
  events: readonly HistoryEvent[],
  commands: readonly TracedCommand[],
): Difference | null {
  const recorded = events.flatMap(recordedCommand)
  const made = commands.flatMap(({ field, name, stack }): Made[] => {
    const kind = MADE[field]
    return kind === undefined ? [] : [{ kind, name, stack }]
  })
  // A local activity is recorded when it ends, whatever was scheduled meanwhile: compared by itself.
  const pairs = [true, false].flatMap((isLocal) => {
    const ours = (command: Command) => (command.kind === 'local activity') === isLocal
    return pairUp(recorded.filter(ours), made.filter(ours))
  })
  const unlike = pairs
    .filter(([was, is]) => was !== undefined && is !== undefined && !isSame(was, is))
    .toSorted(([a], [b]) => (a?.event.id ?? 0) - (b?.event.id ?? 0))
  const [was, is] =
    unlike[0] ??
    pairs.find(([, wanted]) => wanted === undefined) ??
    pairs.find(([event]) => event === undefined) ??
    []
  if (was === undefined && is === undefined) return null
  return {
    event: was?.event ?? null,
    recorded: was === undefined ? null : { kind: was.kind, name: was.name },
    wanted: is === undefined ? null : { kind: is.kind, name: is.name },
    stack: is?.stack ?? '',
  }
}

function pairUp(
  recorded: readonly Recorded[],
  made: readonly Made[],
): (readonly [Recorded | undefined, Made | undefined])[] {
  const { length } = recorded.length > made.length ? recorded : made
  return Array.from({ length }, (_, i) => [recorded[i], made[i]] as const).filter(
    ([was, is]) => was === undefined || is === undefined || !isSame(was, is),
  )
}

function isSame(a: Command, b: Command): boolean {
  return a.kind === b.kind && a.name === b.name
}

function recordedCommand(event: HistoryEvent): Recorded[] {
  const place = (kind: string, name: string, type: string): Recorded[] => [
    { kind, name, event: { id: Number(event.eventId), type } },
  ]
  const activity = event.activityTaskScheduledEventAttributes
  if (activity) return place('activity', activity.activityType?.name ?? '', 'ActivityTaskScheduled')
  const marker = event.markerRecordedEventAttributes
  if (marker?.markerName === 'core_local_activity') {
    const data = markerData(marker.details?.['data']?.payloads?.[0]?.data)
    return place('local activity', text(data['activity_type']), 'MarkerRecorded')
  }
  if (marker?.markerName === 'core_patch') {
    const data = markerData(marker.details?.['patch-data']?.payloads?.[0]?.data)
    return place('patch', text(data['id']), 'MarkerRecorded')
  }
  for (const [field, kind] of Object.entries(RECORDED)) {
    if (!event[field as keyof HistoryEvent]) continue
    const type = field.replace(/EventAttributes$/, '')
    return place(kind, '', type.charAt(0).toUpperCase() + type.slice(1))
  }
  return []
}

/** What the SDK itself writes into a marker is JSON, whatever the converter. */
function markerData(data: Uint8Array | null | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(data ?? []).toString())
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
