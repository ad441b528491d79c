import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))
const ALLOWED_FOLDERS = ['agent', 'contract', 'workflows']
const ALLOWED_PACKAGES = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc']

test('the workflow bundle holds only sandbox folders and SDK packages', async () => {
  const { code } = await bundleWorkflowCode({
    workflowsPath: `${SRC}workflows/index.ts`,
    logger: new DefaultLogger('ERROR'),
  })
  const sources = sourcesOf(code)
  const ours = sources.filter((source) => source.startsWith(SRC) && source.endsWith('.ts'))
  const outside = ours.filter(
    (source) => !ALLOWED_FOLDERS.some((f) => source.startsWith(`${SRC}${f}/`)),
  )
  const packages = new Set(
    sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
  )
  expect(ours).toContain(`${SRC}workflows/agent.ts`)
  expect(outside).toEqual([])
  expect([...packages].filter((name) => !ALLOWED_PACKAGES.includes(name))).toEqual([])
  const map = code.lastIndexOf('//# sourceMappingURL=')
  const [all, bare] = [code.length, map].map((bytes) => `${Math.round(bytes / 1_000)} kB`)
  console.log(
    `workflow bundle: ${all}, ${bare} without its source map, ${ours.length} files of ours`,
  )
})

function sourcesOf(code: string): string[] {
  const map = /base64,([A-Za-z0-9+/=]+)\s*$/.exec(code)?.[1]
  if (map === undefined) throw new Error('the bundle has no inline source map')
  return JSON.parse(Buffer.from(map, 'base64').toString('utf8')).sources
}
