import type { LimitReason, RunResult } from '../../contract/run.js'

/** A limit was reached and the agent says `onLimit: 'fail'`. */
export class AgentLimitError extends Error {
  override name = 'AgentLimitError'
  readonly id: string
  /** Which limit. */
  readonly reason: LimitReason
  /** What the run had by then. */
  readonly partial: RunResult

  constructor(id: string, reason: LimitReason, partial: RunResult) {
    super(
      `Run "${id}" reached its limit (${reason}) after ${partial.steps} steps. Raise the agent's limits, or use onLimit: 'answer'.`,
    )
    this.id = id
    this.reason = reason
    this.partial = partial
  }
}
