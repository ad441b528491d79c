import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

/** What the snippets import of their readers' own code. */
const OWN_FILES: Readonly<Record<string, string>> = {
  'agents.ts': `import { defineAgent } from 'perdure'
export const researcher = defineAgent({ name: 'researcher', instructions: 'You search.', model: 'm' })`,
  'orders.ts': `export declare const orders: {
  find(id: string, options: { signal: AbortSignal }): Promise<{ id: string } | undefined>
  cancel(id: string, idempotencyKey: string): Promise<{ id: string }>
}`,
  'payments.ts': `export declare const payments: {
  order(id: string, customerId: string, options: { signal: AbortSignal }): Promise<{ id: string } | undefined>
  refund(order: { id: string }, cents: number, options: { idempotencyKey: string; signal: AbortSignal }): Promise<{ id: string }>
}`,
}

const COMPILER_OPTIONS = {
  target: 'ES2022',
  lib: ['ES2023', 'ES2024.String'],
  module: 'NodeNext',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
  paths: {
    perdure: [join(ROOT, 'src/index.ts')],
    'perdure/*': [join(ROOT, 'src/*.ts')],
  },
}

/** The TypeScript blocks of a page. */
async function snippets(page: string): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs', page), 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
}

test.each(['memory.md', 'sessions.md', 'tools.md'])(
  'the snippets in docs/%s compile as they stand',
  async (page) => {
    const codes = await snippets(page)
    expect(codes).not.toHaveLength(0)
    // Inside of the checkout, so that packages are found.
    await mkdir(join(ROOT, '.perdure'), { recursive: true })
    const folder = await mkdtemp(join(ROOT, '.perdure', 'docs-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const files = { ...OWN_FILES, 'package.json': '{"type":"module"}' }
    const numbered = codes.map((code, i) => [`snippet-${i + 1}.ts`, code])
    for (const [name = '', code = ''] of [...Object.entries(files), ...numbered]) {
      await writeFile(join(folder, name), code)
    }
    const config = { compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
    const errors = await run(tsc, ['-p', folder]).then(
      () => '',
      (error: { readonly stdout: string; readonly stderr: string }) => error.stdout + error.stderr,
    )
    expect(errors).toBe('')
  },
)
