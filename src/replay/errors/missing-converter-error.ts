/** A history was written through a codec or converter, and the one that reads it is missing. */
export class MissingConverterError extends Error {
  override name = 'MissingConverterError'

  constructor(id: string, encoding: string, options?: ErrorOptions) {
    super(
      `The history of "${id}" cannot be read: its payloads have the encoding "${encoding}". Give the dataConverter that its workers have (perdure replay --data-converter <module>).`,
      options,
    )
  }
}
