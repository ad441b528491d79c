/** A definition that cannot work: thrown by `defineTool`, `defineAgent` and `runWorker`, before any run. */
export class DefinitionError extends Error {
  override name = 'DefinitionError'
}
