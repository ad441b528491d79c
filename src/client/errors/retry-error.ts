/** Why a run cannot be retried. */
export type RetryErrorReason =
  | 'open'
  | 'stuck'
  | 'completed'
  | 'limit'
  | 'cancelled'
  | 'bad_input'
  | 'state_too_large'
  | 'foreign'

/** A retry cannot mend how this run ended, or it has not ended; nothing was reset. */
export class RetryError extends Error {
  override name = 'RetryError'
  readonly id: string
  readonly reason: RetryErrorReason

  constructor(id: string, reason: RetryErrorReason, what: string) {
    super(`Run "${id}" ${what}`)
    this.id = id
    this.reason = reason
  }
}
