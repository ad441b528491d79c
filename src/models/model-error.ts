/** What is known of a failed request to a model. */
export interface ModelErrorFacts extends ErrorOptions {
  /** HTTP status; null when no complete response came. */
  readonly status: number | null
  /** The provider's error code, such as `context_length_exceeded`. */
  readonly code?: string | null
  /** The parameter of the request that the provider complains of. */
  readonly param?: string | null
  /** The response's headers. */
  readonly headers?: Headers
}

/** A request to a model that brought no reply. Its message holds no key and no password. */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly status: number | null
  readonly code: string | null
  readonly param: string | null
  readonly headers: Headers

  constructor(message: string, { status, code, param, headers, ...options }: ModelErrorFacts) {
    super(message, options)
    this.status = status
    this.code = code ?? null
    this.param = param ?? null
    this.headers = headers ?? new Headers()
  }
}
