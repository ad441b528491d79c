import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment } from '../../src/config.js'
import { BUILT_CLI } from '../build.js'
import type { Scenario } from './scenario.js'

/** Milliseconds after which a start has failed. */
const START_MS = 30_000

/** How soon a deployed worker takes work. */
export const workerStart: Scenario = {
  name: 'worker-start',
  title: 'Start of `perdure worker`',
  note: 'From the start of the process to its word that it polls: the built package, one agent, Node.js as it comes.',
  figures: [{ name: 'ms', label: 'until it polls', unit: 'ms' }],
  rounds: { full: 10, quick: 2 },
  budget: { full: 60, quick: 20 },
  subjects: async (stage) => {
    // Other workers poll, and a start takes a core.
    await stage.clear()
    return [{ name: 'perdure', measure: async () => ({ ms: await start(stage.address) }) }]
  },
}

async function start(address: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-bench-'))
  const file = join(folder, 'agents.mjs')
  await writeFile(file, AGENTS)
  const begin = performance.now()
  const options = ['--agents', file, '--address', address, '--task-queue', 'bench-start']
  const child = spawn(process.execPath, [BUILT_CLI, 'worker', ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: childEnvironment({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }),
  })
  const exited = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS)
  let said = ''
  try {
    for await (const text of child.stderr.setEncoding('utf8')) {
      said += text
      if (said.includes('polls task queue')) return performance.now() - begin
    }
    throw new Error(`perdure worker did not start:\n${said}`)
  } finally {
    child.kill('SIGTERM')
    await exited
    clearTimeout(timer)
    await rm(folder, { recursive: true })
  }
}

const AGENTS = `import { defineAgent } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)}

export const assistant = defineAgent({
  name: 'assistant',
  instructions: 'You answer.',
  model: 'any',
})
`
