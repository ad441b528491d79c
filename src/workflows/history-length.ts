import { workflowInfo } from '@temporalio/workflow'

/**
 * History from which on an execution continues as new although no server suggests it (they do at 4,096
 * events or 4 MB, if nobody set them otherwise): a worker that takes it over replays all of it first.
 */
const DUE_BYTES = 4_000_000
const DUE_EVENTS = 10_000
/** The server terminates a run at 50 MB and at 51,200 events. */
const MAX_BYTES = 40_000_000
const MAX_EVENTS = 45_000

/** A carried state above 2 MB fails the workflow task for ever; the rest is room for codecs. */
export const MAX_CARRIED_BYTES = 1_500_000

/** True when it is time to continue as new. */
export function isHistoryLong(): boolean {
  const { continueAsNewSuggested, historySize, historyLength } = workflowInfo()
  return continueAsNewSuggested || historySize > DUE_BYTES || historyLength > DUE_EVENTS
}

/** True when the server would soon end the execution. */
export function isHistoryFull(): boolean {
  const { historySize, historyLength } = workflowInfo()
  return historySize > MAX_BYTES || historyLength > MAX_EVENTS
}
