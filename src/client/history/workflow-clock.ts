import { milliseconds } from './event-time.js'
import type { HistoryEvent } from './read-events.js'

/** Something that waits for the workflow task that tells the workflow of it. */
interface Waiting {
  readonly eventId: number
  readonly set: (at: number) => void
}

/**
 * The clock that a workflow sees: it stands still within a workflow task, at the time when that began. So an
 * event happens, for the workflow, when the next task begins that completes.
 */
export class WorkflowClock {
  readonly #begun = new Map<number, number>()
  #waiting: Waiting[] = []

  /** Takes one event of an execution. */
  take(event: HistoryEvent): void {
    const id = Number(event.eventId)
    if (event.workflowExecutionStartedEventAttributes) {
      this.#begun.clear()
      this.#waiting = []
    }
    if (event.workflowTaskStartedEventAttributes) this.#begun.set(id, milliseconds(event.eventTime))
    const completed = event.workflowTaskCompletedEventAttributes
    if (completed) this.#tell(Number(completed.startedEventId))
  }

  /** Calls `set` when the workflow hears of what the event tells. */
  whenHeard(event: HistoryEvent, set: (at: number) => void): void {
    this.#waiting.push({ eventId: Number(event.eventId), set })
  }

  #tell(startedEventId: number): void {
    const at = this.#begun.get(startedEventId)
    if (at === undefined) return
    const isDue = ({ eventId }: Waiting) => eventId < startedEventId
    for (const waiting of this.#waiting.filter(isDue)) waiting.set(at)
    this.#waiting = this.#waiting.filter((one) => !isDue(one))
    this.#begun.clear()
  }
}
