import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { bundleWorkflows } from '../../scripts/bundle-workflows.js'
import { serverConfig } from '../../src/config.js'
import { startDevServer } from '../../src/server/dev-server.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The dev server that all test files of a project share, each with a task queue of its own. */
    temporal: { readonly address: string; readonly uiUrl: string | null; readonly bundle: string }
  }
}

/** One dev server and one workflow bundle for all files of a project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = (text: string) => process.stderr.write(`temporal: ${text}\n`)
  const server = await startDevServer({ ...serverConfig(), log })
  log(`${server.source} · ${server.address}`)
  const folder = await mkdtemp(join(tmpdir(), 'perdure-test-'))
  const bundle = join(folder, 'workflow-bundle.js')
  const workflows = fileURLToPath(new URL('../../src/workflows/index.ts', import.meta.url))
  await writeFile(bundle, await bundleWorkflows(workflows))
  project.provide('temporal', { address: server.address, uiUrl: server.uiUrl, bundle })
  return async () => {
    await server.kill()
    await rm(folder, { recursive: true })
  }
}
