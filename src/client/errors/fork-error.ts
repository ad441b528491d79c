/** A run cannot be forked as it was asked for; nothing was started. */
export class ForkError extends Error {
  override name = 'ForkError'
  readonly id: string

  constructor(id: string, what: string, options?: ErrorOptions) {
    super(`Run "${id}" cannot be forked. ${what}`, options)
    this.id = id
  }
}
