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
  const settings = connectionSettings(options)
  const { address } = settings.connection
  const connection = await Connection.connect(settings.connection).catch((cause: unknown) => {
    throw new ServerUnreachableError(address, { cause })
  })
  return connected(connection, settings, options)
}

/** The same without a look at the server: the first request connects. */
export function connectLazily(options: Omit<ConnectOptions, 'client'>): Connected {
  const settings = connectionSettings(options)
  return connected(Connection.lazy(settings.connection), settings, options)
}

interface Settings {
  readonly connection: ConnectionOptions & { readonly address: string }
  readonly namespace: string
}

function connectionSettings(options: ConnectOptions): Settings {
  const { connectionOptions, ...profile } = loadProfile(options)
  const { address, tls, apiKey, metadata } = connectionOptions
  return {
    connection: {
      ...(tls === undefined ? {} : { tls }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(metadata === undefined ? {} : { metadata }),
      ...options.connection,
      channelArgs: { ...CHANNEL_ARGS, ...options.connection?.channelArgs },
      address: options.connection?.address ?? options.address ?? address ?? DEFAULT_ADDRESS,
    },
    namespace: options.namespace ?? profile.namespace ?? 'default',
  }
}

function connected(
  connection: Connection,
  { connection: { address }, namespace }: Settings,
  { dataConverter, interceptors }: ConnectOptions,
): Connected {
  const client = new Client({
    connection,
    namespace,
    ...(dataConverter === undefined ? {} : { dataConverter }),
    ...(interceptors === undefined ? {} : { interceptors }),
  })
  return { client, address, close: () => connection.close() }
}
