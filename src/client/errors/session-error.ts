/** Why a session, or a person's word, was not taken. */
export type SessionErrorReason =
  /** The session takes no questions any more. */
  | 'closed'
  /** As many questions wait as may. */
  | 'queue_full'
  /** No turn is running. */
  | 'no_turn'
  /** Nothing with that id waits for a person, or no longer. */
  | 'not_waiting'
  /** Changed arguments do not fit the tool. */
  | 'invalid_arguments'
  /** What was sent is not what the session takes. */
  | 'refused'
  /** The turn ended so long ago that only the history has its answer. */
  | 'turn_gone'
  /** No worker answered in time. */
  | 'no_worker'
  /** The workflow failed, was cancelled or terminated. */
  | 'ended'

/** A session, or a run, did not take what it was sent; the message says why. */
export class SessionError extends Error {
  override name = 'SessionError'
  readonly id: string
  readonly reason: SessionErrorReason

  constructor(id: string, reason: SessionErrorReason, message: string, options?: ErrorOptions) {
    super(`"${id}": ${message}`, options)
    this.id = id
    this.reason = reason
  }
}
