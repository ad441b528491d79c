/** Options of a {@link ToolError}. */
export interface ToolErrorOptions extends ErrorOptions {
  /**
   * True vouches that nothing happened and that trying again can help: Temporal retries the call, a
   * write tool's too. @default false
   */
  readonly retryable?: boolean
}

/**
 * The one error whose message the model reads. Throw it from a tool for what the model can act on ("no
 * order of that number"). The message of any other error goes to the worker's log alone, because it may
 * hold paths, hosts or passwords.
 */
export class ToolError extends Error {
  override name = 'ToolError'
  readonly retryable: boolean

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, options)
    this.retryable = options.retryable ?? false
  }
}
