/** A file, or a text, is no history of a run. */
export class HistoryFileError extends Error {
  override name = 'HistoryFileError'

  constructor(source: string, why: string, options?: ErrorOptions) {
    super(
      `${source} is no history: ${why}. Give what "perdure export", "temporal workflow show --output json" or the download of the Temporal UI wrote.`,
      options,
    )
  }
}
