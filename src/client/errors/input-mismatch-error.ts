/** A run of this id exists, but it was started with another agent, input or context. */
export class InputMismatchError extends Error {
  override name = 'InputMismatchError'
  readonly id: string

  constructor(id: string) {
    super(
      `Run "${id}" exists and was started with another agent, input or context. Use another id, or onExisting: 'new' once it has ended.`,
    )
    this.id = id
  }
}
