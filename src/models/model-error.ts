/** What is known of a failed request to a model. */
export interface ModelErrorFacts extends ErrorOptions {
  /** HTTP status; null when no complete response came. */
  readonly status: number | null
  /** The provider's error code, such as `context_length_exceeded`. */
  readonly code?: string | null
  /** The response's headers. */
  readonly headers?: Headers
}

/** A request to a model that brought no reply. Its message holds no key and no password. */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly status: number | null
  readonly code: string | null
  readonly headers: Headers

  constructor(message: string, { status, code, headers, ...options }: ModelErrorFacts) {
    super(message, options)
    this.status = status
    this.code = code ?? null
    this.headers = headers ?? new Headers()
  }
}
