/** The run was cancelled before it had a result. */
export class RunCancelledError extends Error {
  override name = 'RunCancelledError'
  readonly id: string

  constructor(id: string, options?: ErrorOptions) {
    super(`Run "${id}" was cancelled.`, options)
    this.id = id
  }
}
