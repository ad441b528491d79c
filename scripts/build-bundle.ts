import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { installedSdk } from '../src/worker/sdk-versions.js'
import { bundleWorkflows } from './bundle-workflows.js'

const DIST = new URL('../dist/', import.meta.url)

// Made from what tsc wrote, so that it is the code that users could bundle themselves.
const code = await bundleWorkflows(fileURLToPath(new URL('workflows/index.js', DIST)))
await writeFile(new URL('workflow-bundle.js', DIST), code)
await writeFile(new URL('workflow-bundle.json', DIST), `${JSON.stringify(installedSdk())}\n`)
process.stderr.write(`dist/workflow-bundle.js: ${Math.round(code.length / 1_000)} kB\n`)
