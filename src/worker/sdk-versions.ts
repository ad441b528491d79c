import { createRequire } from 'node:module'

/** The packages of Temporal's SDK that a worker and its workflow bundle are made of. */
export const SDK_PACKAGES = ['@temporalio/worker', '@temporalio/workflow'] as const

/** The version of each of {@link SDK_PACKAGES}. */
export type SdkVersions = Readonly<Record<(typeof SDK_PACKAGES)[number], string>>

/** The versions that are installed for perdure. */
export function installedSdk(): SdkVersions {
  const require = createRequire(import.meta.url)
  const versionOf = (name: keyof SdkVersions) =>
    (require(`${name}/package.json`) as { version: string }).version
  return {
    '@temporalio/worker': versionOf('@temporalio/worker'),
    '@temporalio/workflow': versionOf('@temporalio/workflow'),
  }
}
