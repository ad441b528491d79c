/** `onExisting: 'new'` asked for a new run of an id while one is open. */
export class RunOpenError extends Error {
  override name = 'RunOpenError'
  readonly id: string

  constructor(id: string, options?: ErrorOptions) {
    super(
      `Run "${id}" is still open. Wait for it, cancel it, or attach to it with onExisting: 'attach'.`,
      options,
    )
    this.id = id
  }
}
