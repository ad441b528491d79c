/**
 * A state cannot be rebuilt from a record: it has no such step, or today's loop builds another conversation
 * than the one that was recorded.
 */
export class RebuildError extends Error {
  override name = 'RebuildError'
}
