/** The namespace does not exist on this server, or may not be used with these credentials. */
export class NamespaceError extends Error {
  override name = 'NamespaceError'
  readonly namespace: string

  constructor(namespace: string, options: ErrorOptions) {
    const why = options.cause instanceof Error ? options.cause.message : String(options.cause)
    super(
      `Namespace "${namespace}" cannot be used: ${why}. Check TEMPORAL_NAMESPACE or the TOML profile, or create it: temporal operator namespace create -n ${namespace}`,
      options,
    )
    this.namespace = namespace
  }
}
