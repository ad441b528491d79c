import type { HistoryEvent } from '../client/history/read-events.js'

/** One execution of a run: what happened until it ended or continued as new. */
export interface RecordedExecution {
  readonly runId: string
  /** As Temporal stores them, in order. */
  readonly events: readonly HistoryEvent[]
}

/** The record of a run. */
export interface RunHistory {
  /** The workflow id; of a file that does not tell, its name. */
  readonly id: string
  /** The executions of its chain, the first one first; of a single history's file that one alone. */
  readonly executions: readonly RecordedExecution[]
}

/** All events of a run, in order. */
export function allEvents({ executions }: RunHistory): HistoryEvent[] {
  return executions.flatMap(({ events }) => events)
}
