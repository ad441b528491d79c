import { LOOPBACK } from '../../src/server/ports.js'
import { deployFile } from './deploy-file.js'
import { run } from './run.js'
import { type Service, startService } from './service.js'
import type { TemporalBuild } from './temporal-build.js'
import { writeTemporalConfig } from './temporal-config.js'

/** The variables of the image's configuration that hold a port; the first is the clients'. */
export const TEMPORAL_PORTS = [
  'FRONTEND_GRPC_PORT',
  'FRONTEND_HTTP_PORT',
  'FRONTEND_MEMBERSHIP_PORT',
  'HISTORY_GRPC_PORT',
  'HISTORY_MEMBERSHIP_PORT',
  'MATCHING_GRPC_PORT',
  'MATCHING_MEMBERSHIP_PORT',
  'WORKER_GRPC_PORT',
  'WORKER_MEMBERSHIP_PORT',
] as const

/** What {@link startTemporal} takes. */
export interface TemporalOptions {
  readonly build: TemporalBuild
  /** The environment of the compose file's service. */
  readonly environment: Readonly<Record<string, string>>
  /** In the order of {@link TEMPORAL_PORTS}. */
  readonly ports: readonly number[]
  readonly postgresPort: number
  /** Where its configuration and its log are written. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** Starts all services of the server in one process, as the compose file does. */
export async function startTemporal(options: TemporalOptions): Promise<Service> {
  const { build, folder, signal } = options
  const config = await writeTemporalConfig(build.source, folder)
  const dynamicConfig = deployFile('dynamic-config.yaml')
  await run(build.server, ['validate-dynamic-config', dynamicConfig], { signal })
  return startService({
    name: 'temporal',
    file: build.server,
    args: [...config, 'start'],
    folder,
    env: { ...options.environment, ...ownEnvironment(options, dynamicConfig) },
    // What it holds is thrown away: no need to wait for its drain.
    endSignal: 'SIGKILL',
  })
}

/** What differs from the compose file: a container has an address and a file system of its own. */
function ownEnvironment(
  { ports, postgresPort }: TemporalOptions,
  dynamicConfig: string,
): Record<string, string> {
  return {
    POSTGRES_SEEDS: LOOPBACK,
    DB_PORT: String(postgresPort),
    BIND_ON_IP: LOOPBACK,
    DYNAMIC_CONFIG_FILE_PATH: dynamicConfig,
    ...Object.fromEntries(TEMPORAL_PORTS.map((name, index) => [name, String(ports[index])])),
  }
}
