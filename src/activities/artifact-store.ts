/**
 * Keeps what was cut from observations and is too large for the run's own state. Implement it for a store
 * of your own; every worker of a task queue needs the same one.
 */
export interface ArtifactStore {
  /**
   * **Contract:** called once when a worker is made. Rejects when the store cannot work: then there is no
   * worker. `warn` writes to the worker's log. @default nothing is done
   */
  open?(warn: (message: string) => void): Promise<void>
  /**
   * **Contract:** keeps a text under a key; the same key again may replace it. Rejects when it could not:
   * the rest of that observation is then dropped, and the run goes on.
   */
  put(key: string, text: string, signal: AbortSignal): Promise<void>
  /** **Contract:** the text of a key, or null when there is none. Rejects when the store cannot be asked. */
  get(key: string, signal: AbortSignal): Promise<string | null>
}
