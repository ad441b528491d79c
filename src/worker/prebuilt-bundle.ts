import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SdkMismatchError } from './sdk-mismatch-error.js'
import { SDK_PACKAGES, type SdkVersions } from './sdk-versions.js'

/** Where `npm run build` puts the bundle; nothing is there when perdure runs from its source. */
const DIST = new URL('../', import.meta.url)

/**
 * Path of the workflow bundle that ships with perdure; undefined where there is none.
 *
 * @param installed the SDK that will run it
 * @throws SdkMismatchError when it was made with another version of the SDK: nobody else checks that
 */
export function prebuiltBundle(installed: SdkVersions, folder: URL = DIST): string | undefined {
  const versions = new URL('workflow-bundle.json', folder)
  if (!existsSync(versions)) return undefined
  const built = JSON.parse(readFileSync(versions, 'utf8')) as SdkVersions
  if (SDK_PACKAGES.some((name) => built[name] !== installed[name])) {
    throw new SdkMismatchError(installed, built)
  }
  return fileURLToPath(new URL('workflow-bundle.js', folder))
}
