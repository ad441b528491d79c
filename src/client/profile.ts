import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig'

/** Which of Temporal's settings to read. */
export interface ProfileOptions {
  /** The TOML profile to read. @default TEMPORAL_PROFILE, else 'default' */
  readonly profile?: string | undefined
  /** False: reads neither Temporal's environment variables nor its TOML file. @default true */
  readonly environment?: boolean | undefined
}

/** Where no address is set. */
export const DEFAULT_ADDRESS = 'localhost:7233'

/** Temporal's settings by its own rules: environment variables over the profile of the TOML file. */
export function loadProfile({ profile, environment }: ProfileOptions): ClientConnectConfig {
  if (environment === false) return { connectionOptions: {} }
  return loadClientConnectConfig(profile === undefined ? {} : { profile })
}
