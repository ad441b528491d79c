/** A worker process did not get ready. */
export class WorkerProcessError extends Error {
  override name = 'WorkerProcessError'

  /** `said` is the end of what it wrote to stderr. */
  constructor(what: string, said: string) {
    super(`The worker process ${what}:\n${said.trim()}`)
  }
}
