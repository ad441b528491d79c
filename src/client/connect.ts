import {
  Client,
  type ClientInterceptors,
  Connection,
  type ConnectionOptions,
} from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import { ServerUnreachableError } from './errors/server-unreachable-error.js'
import { DEFAULT_ADDRESS, loadProfile, type ProfileOptions } from './profile.js'

/** How to reach Temporal. */
export interface ConnectOptions extends ProfileOptions {
  /** A client of the caller's; the other options below are then its own. @default made from the rest */
  readonly client?: Client
  /** `host:port` of the server. @default TEMPORAL_ADDRESS or the TOML profile, else localhost:7233 */
  readonly address?: string
  /** @default TEMPORAL_NAMESPACE or the TOML profile, else 'default' */
  readonly namespace?: string
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

/** A page of a long history is larger than the 4 MB that gRPC takes by default. */
const CHANNEL_ARGS = { 'grpc.max_receive_message_length': -1 }

/**
 * Connects by Temporal's environment variables and TOML profiles (`@temporalio/envconfig`), so TLS and
 * API keys, and with them Temporal Cloud, work without code.
 *
 * @throws ServerUnreachableError
 */
export async function connect(options: ConnectOptions): Promise<Connected> {
  if (options.client !== undefined) {
    return { client: options.client, address: undefined, close: async () => {} }
  }
  const { connectionOptions, ...profile } = loadProfile(options)
  const { address, tls, apiKey, metadata } = connectionOptions
  const target = options.connection?.address ?? options.address ?? address ?? DEFAULT_ADDRESS
  const connection = await Connection.connect({
    ...(tls === undefined ? {} : { tls }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(metadata === undefined ? {} : { metadata }),
    ...options.connection,
    channelArgs: { ...CHANNEL_ARGS, ...options.connection?.channelArgs },
    address: target,
  }).catch((cause: unknown) => {
    throw new ServerUnreachableError(target, { cause })
  })
  const client = new Client({
    connection,
    namespace: options.namespace ?? profile.namespace ?? 'default',
    ...(options.dataConverter === undefined ? {} : { dataConverter: options.dataConverter }),
    ...(options.interceptors === undefined ? {} : { interceptors: options.interceptors }),
  })
  return { client, address: target, close: () => connection.close() }
}
