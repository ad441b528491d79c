/** A worker process ended before it was ready. */
export class WorkerProcessError extends Error {
  override name = 'WorkerProcessError'

  /** `said` is the end of what it wrote to stderr. */
  constructor(code: number | null, said: string) {
    super(
      `The worker process ended with code ${code ?? 'none'} before it was ready:\n${said.trim()}`,
    )
  }
}
