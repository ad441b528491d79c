import type { RunState } from './run.js'

/** Where a fork comes from: it begins with the state that the run had before this step. */
export interface ForkOrigin {
  /** The workflow id. */
  readonly id: string
  /** The execution whose history was read. */
  readonly runId: string
  readonly step: number
}

/** What a call got in the run that was forked; without what was cut from it. */
export interface RecordedResult {
  readonly text: string
  readonly error?: true
  /** Tokens of the message that the text becomes. */
  readonly size?: number
}

/** What makes a run a fork. */
export interface Fork {
  readonly from: ForkOrigin
  /**
   * Set: tools that are not read-only are not run. A call that the first run made too gets the result that
   * it had there, by the fingerprint of tool and arguments; any other is told that it was not run.
   */
  readonly dry?: Readonly<Record<string, RecordedResult>>
}

/** The argument of the workflow `agent` when a client forks a run. */
export interface ForkInput {
  readonly fork: Fork & { readonly state: RunState }
}
