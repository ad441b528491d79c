import type { Found } from './finding.js'
import type { Subject } from './subject.js'

/** One look at a set-up. */
export interface Check {
  readonly name: string
  /** Names of earlier checks: one that failed, or was not made, skips this one. */
  readonly needs: readonly string[]
  /** Milliseconds that it may take. */
  readonly deadlineMs: number
  /** **Contract:** changes nothing, gives up when `signal` aborts; an error counts as `fail`. */
  readonly look: (subject: Subject, signal: AbortSignal) => Promise<readonly Found[]>
}
