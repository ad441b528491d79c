/** There is no run of this id, or its retention time is over. */
export class RunNotFoundError extends Error {
  override name = 'RunNotFoundError'
  readonly id: string

  constructor(id: string, namespace: string, options?: ErrorOptions) {
    super(
      `There is no run "${id}" in namespace "${namespace}": check the id and the namespace; old runs go when their retention ends.`,
      options,
    )
    this.id = id
  }
}
