/** The command was called with something that cannot work. */
export class UsageError extends Error {
  override name = 'UsageError'
}
