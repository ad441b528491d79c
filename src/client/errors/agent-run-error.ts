import type { RunFailureDetail } from '../../contract/failures.js'
import type { FailureReason } from '../../contract/run.js'

/** Why a run failed; the last two come from Temporal itself. */
export type RunErrorReason = FailureReason | 'terminated' | 'timed_out' | 'failed'

/** A run ended without a result. */
export class AgentRunError extends Error {
  override name = 'AgentRunError'
  readonly id: string
  readonly reason: RunErrorReason
  /** The step that failed; undefined when Temporal ended the run. */
  readonly step: number | undefined
  /** The call of that step, from 1, when a tool failed. */
  readonly call: number | undefined
  /** Temporal's id of the activity that failed. */
  readonly activityId: string | undefined

  constructor(
    id: string,
    detail: { readonly reason: RunErrorReason } & Partial<Omit<RunFailureDetail, 'reason'>>,
    options: ErrorOptions & { readonly message: string },
  ) {
    const place = detail.step === undefined ? '' : ` in step ${detail.step}`
    super(`Run "${id}" failed${place}: ${options.message}`, options)
    this.id = id
    this.reason = detail.reason
    this.step = detail.step
    this.call = detail.call
    this.activityId = detail.activityId
  }
}
