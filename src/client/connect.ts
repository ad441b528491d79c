import {
  Client,
  type ClientInterceptors,
  Connection,
  type ConnectionOptions,
} from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import { loadClientConnectConfig } from '@temporalio/envconfig'

/** How to reach Temporal. */
export interface ConnectOptions {
  /** A client of the caller's; the other options below are then its own. @default made from the rest */
  readonly client?: Client
  /** `host:port` of the server. @default TEMPORAL_ADDRESS or the TOML profile, else localhost:7233 */
  readonly address?: string
  /** @default TEMPORAL_NAMESPACE or the TOML profile, else 'default' */
  readonly namespace?: string
  /** The TOML profile to read. @default TEMPORAL_PROFILE, else 'default' */
  readonly profile?: string
  /** The converter and codecs, the same as the worker's. @default Temporal's JSON */
  readonly dataConverter?: DataConverter
  readonly interceptors?: ClientInterceptors
  /** Any other option of Temporal's `Connection.connect`, such as TLS; wins over the environment. */
  readonly connection?: ConnectionOptions
}

/** A connected client, what address it has, and how to end it. */
export interface Connected {
  readonly client: Client
  /** Undefined for a client of the caller's. */
  readonly address: string | undefined
  /** Closes the connection; a client of the caller's is left open. */
  close(): Promise<void>
}

/**
 * Connects by Temporal's environment variables and TOML profiles (`@temporalio/envconfig`), so TLS and
 * API keys, and with them Temporal Cloud, work without code.
 */
export async function connect(options: ConnectOptions): Promise<Connected> {
  if (options.client !== undefined) {
    return { client: options.client, address: undefined, close: async () => {} }
  }
  const { connectionOptions, ...profile } = loadClientConnectConfig(
    options.profile === undefined ? {} : { profile: options.profile },
  )
  const { address, tls, apiKey, metadata } = connectionOptions
  const target = options.connection?.address ?? options.address ?? address ?? 'localhost:7233'
  const connection = await Connection.connect({
    ...(tls === undefined ? {} : { tls }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(metadata === undefined ? {} : { metadata }),
    ...options.connection,
    address: target,
  })
  const client = new Client({
    connection,
    namespace: options.namespace ?? profile.namespace ?? 'default',
    ...(options.dataConverter === undefined ? {} : { dataConverter: options.dataConverter }),
    ...(options.interceptors === undefined ? {} : { interceptors: options.interceptors }),
  })
  return { client, address: target, close: () => connection.close() }
}
