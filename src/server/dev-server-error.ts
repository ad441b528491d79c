/**
 * The Temporal dev server was found but did not come up.
 * The message carries the end of what the server wrote to stderr.
 */
export class DevServerError extends Error {
  override name = 'DevServerError'
}
