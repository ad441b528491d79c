import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import perdure from '../package.json' with { type: 'json' }
import type { BundleFacts } from '../src/worker/prebuilt-bundle.js'
import { installedSdk } from '../src/worker/sdk-versions.js'
import { bundleWorkflows } from './bundle-workflows.js'

const DIST = new URL('../dist/', import.meta.url)
/** Digits of the bundle's hash that tell one build of a version from another. */
const HASH_DIGITS = 12

// Made from what tsc wrote, so that it is the code that users could bundle themselves.
const code = await bundleWorkflows(fileURLToPath(new URL('workflows/index.js', DIST)))
const hash = createHash('sha256').update(code).digest('hex').slice(0, HASH_DIGITS)
const facts: BundleFacts = {
  ...installedSdk(),
  buildId: `${perdure.name}@${perdure.version}+${hash}`,
}
await writeFile(new URL('workflow-bundle.js', DIST), code)
await writeFile(new URL('workflow-bundle.json', DIST), `${JSON.stringify(facts)}\n`)
process.stderr.write(`dist/workflow-bundle.js: ${Math.round(code.length / 1_000)} kB\n`)
