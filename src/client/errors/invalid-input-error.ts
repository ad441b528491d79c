/** A run cannot be started with this input; nothing was started. */
export class InvalidInputError extends Error {
  override name = 'InvalidInputError'
}
