import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SdkMismatchError } from './sdk-mismatch-error.js'
import { SDK_PACKAGES, type SdkVersions } from './sdk-versions.js'

/** Where `npm run build` puts the bundle; nothing is there when perdure runs from its source. */
const DIST = new URL('../', import.meta.url)

/** The workflow bundle that ships with perdure. */
export interface PrebuiltBundle {
  readonly codePath: string
  /** What the server is told of the code that ran a task. */
  readonly buildId: string
}

/** What `workflow-bundle.json` says of the bundle beside it: the SDK that it was made with, and its build id. */
export interface BundleFacts extends SdkVersions {
  readonly buildId: string
}

/**
 * The workflow bundle that ships with perdure; undefined where there is none.
 *
 * @param installed the SDK that will run it
 * @throws SdkMismatchError when it was made with another version of the SDK: nobody else checks that
 */
export function prebuiltBundle(
  installed: SdkVersions,
  folder: URL = DIST,
): PrebuiltBundle | undefined {
  const file = new URL('workflow-bundle.json', folder)
  if (!existsSync(file)) return undefined
  const facts = JSON.parse(readFileSync(file, 'utf8')) as BundleFacts
  if (SDK_PACKAGES.some((name) => facts[name] !== installed[name])) {
    throw new SdkMismatchError(installed, facts)
  }
  const codePath = fileURLToPath(new URL('workflow-bundle.js', folder))
  return { codePath, buildId: facts.buildId }
}
