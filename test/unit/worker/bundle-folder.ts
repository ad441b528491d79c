import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import type { BundleFacts } from '../../../src/worker/prebuilt-bundle.js'
import type { SdkVersions } from '../../../src/worker/sdk-versions.js'

/** The build id of these bundles. */
export const BUILD_ID = 'perdure@0.0.1+0123456789ab'

/** A dist folder of the test's own, with a bundle made with some version of the SDK, or without one. */
export async function bundleFolder(built?: SdkVersions) {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-bundle-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  if (built !== undefined) {
    const facts: BundleFacts = { ...built, buildId: BUILD_ID }
    await writeFile(join(folder, 'workflow-bundle.json'), JSON.stringify(facts))
  }
  return { bundle: join(folder, 'workflow-bundle.js'), url: pathToFileURL(`${folder}/`) }
}
