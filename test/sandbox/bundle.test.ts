import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { beforeAll, expect, test } from 'vitest'
import { bundleWorkflows, sourceMapOf } from '../../scripts/bundle-workflows.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ALLOWED_FOLDERS = ['agent', 'contract', 'workflows']
const ALLOWED_PACKAGES = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc']

let code: string
let sources: readonly string[]

beforeAll(async () => {
  code = await bundleWorkflows(`${ROOT}src/workflows/index.ts`)
  sources = sourceMapOf(code).sources
})

test('the workflow bundle holds only sandbox folders and SDK packages', () => {
  const ours = sources.filter((source) => source.startsWith('perdure/') && source.endsWith('.ts'))
  const outside = ours.filter(
    (source) => !ALLOWED_FOLDERS.some((folder) => source.startsWith(`perdure/src/${folder}/`)),
  )
  const packages = new Set(
    sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
  )
  expect(ours).toContain('perdure/src/workflows/agent.ts')
  expect(outside).toEqual([])
  expect([...packages].filter((name) => !ALLOWED_PACKAGES.includes(name))).toEqual([])
  const map = code.lastIndexOf('//# sourceMappingURL=')
  const [all, bare] = [code.length, map].map((bytes) => `${Math.round(bytes / 1_000)} kB`)
  console.log(
    `workflow bundle: ${all}, ${bare} without its source map, ${ours.length} files of ours`,
  )
})

test('the workflow bundle tells nothing of the machine that made it', () => {
  const map = sourceMapOf(code)
  expect(`${code}${JSON.stringify(map)}`).not.toContain(ROOT)
  expect(sources.filter((source) => /^(\/|[A-Za-z]:|file:)/.test(source))).toEqual([])
  expect(map).not.toHaveProperty('sourcesContent')
})

test('a place in the workflow bundle is found in its source, for stack traces', () => {
  const line = code.split('\n').findIndex((text) => text.includes('async function agent('))
  const entry = new SourceMap(sourceMapOf(code)).findEntry(line, 0)
  expect(entry).toMatchObject({
    originalSource: 'perdure/src/workflows/agent.ts',
    originalLine: expect.any(Number),
  })
})

test('the workflow bundle shortens the stack traces of its sandbox alone', () => {
  const outside = Error.stackTraceLimit
  const sandbox = createContext({ __webpack_module_cache__: {} })
  runInContext(code, sandbox)
  const deep = 'const deep = (n) => (n === 0 ? new Error().stack : deep(n - 1)); deep(20)'
  const stack: string = runInContext(deep, sandbox)
  expect(stack.match(/^ +at /gm)).toHaveLength(4)
  expect(Error.stackTraceLimit).toBe(outside)
})
