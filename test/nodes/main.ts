// npm run test:nodes: the unit and sandbox tests on each supported Node.js, fetched by npx.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import Table from 'cli-table3'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** The oldest that `engines` admits, and the newest of each later LTS line. */
const VERSIONS = ['20.19', '22', '24']
const TESTS = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--project', 'sandbox']
/** What test/kit/closing-line.ts prints last. */
const CLOSING_LINE = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m

interface Outcome {
  /** The full version that npx found; what was asked for when it found none. */
  readonly version: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Of vitest: 0 when all is well. */
  readonly code: number
  readonly seconds: number
}

async function main(versions: readonly string[]): Promise<void> {
  const outcomes: Outcome[] = []
  // One after the other: each uses all cores.
  for (const version of versions) outcomes.push(await testOn(version))
  process.stdout.write(`${table(outcomes)}\n`)
  process.exitCode = outcomes.every(isGood) ? 0 : 1
}

async function testOn(asked: string): Promise<Outcome> {
  const started = performance.now()
  const found = await node(asked, ['--version'])
  const version = found.code === 0 ? found.stdout.trim().replace(/^v/, '') : asked
  const { code, stdout } = found.code === 0 ? await node(asked, TESTS) : found
  const counts = CLOSING_LINE.exec(stdout)?.map((count) => Number(count ?? 0))
  const [, passed = 0, failed = 0, skipped = 0] = counts ?? []
  const seconds = (performance.now() - started) / 1000
  return { version, passed, failed, skipped, code, seconds }
}

/** Runs a Node.js of that version; what it prints is shown on stderr. */
async function node(
  version: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly stdout: string }> {
  const child = spawn('npx', ['-y', '-p', `node@${version}`, 'node', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    process.stderr.write(text)
  })
  const [code] = await once(child, 'close')
  return { code: typeof code === 'number' ? code : 1, stdout }
}

function isGood({ code, passed, failed }: Outcome): boolean {
  return code === 0 && failed === 0 && passed > 0
}

function table(outcomes: readonly Outcome[]): string {
  const rows = new Table({
    head: ['Node.js', 'passed', 'failed', 'skipped', 'seconds', ''],
    style: { head: [], border: [] },
  })
  for (const outcome of outcomes) {
    const { version, passed, failed, skipped, seconds } = outcome
    rows.push([
      version,
      passed,
      failed,
      skipped,
      seconds.toFixed(0),
      isGood(outcome) ? 'ok' : 'failed',
    ])
  }
  return rows.toString()
}

const asked = process.argv.slice(2)
await main(asked.length === 0 ? VERSIONS : asked)
