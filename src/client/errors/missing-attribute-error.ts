/** A list was to be filtered by a search attribute that the namespace does not have. */
export class MissingAttributeError extends Error {
  override name = 'MissingAttributeError'
  readonly attribute: string

  constructor(attribute: string, namespace: string, options?: ErrorOptions) {
    super(
      `Namespace "${namespace}" does not have the search attribute ${attribute}, so runs cannot be found by it. Register it with: perdure setup (runs that started before are not found).`,
      options,
    )
    this.attribute = attribute
  }
}
