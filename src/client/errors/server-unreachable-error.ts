/** The Temporal server does not answer, or refuses the connection. */
export class ServerUnreachableError extends Error {
  override name = 'ServerUnreachableError'
  readonly address: string

  constructor(address: string, options: ErrorOptions) {
    const why = options.cause instanceof Error ? options.cause.message : String(options.cause)
    super(
      `No connection to Temporal at ${address}: ${why}. Check TEMPORAL_ADDRESS, TLS and API key (or the TOML profile); "perdure dev" starts a server on this machine.`,
      options,
    )
    this.address = address
  }
}
