import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import {
  hang,
  type ModelServer,
  type Reply,
  say,
  startModelServer,
} from '../../src/testing/index.js'
import { freshFolder } from '../kit/fresh-folder.js'
import { startCli, startProcess } from '../kit/processes.js'

const AGENTS = 'test/e2e/fixtures/agents.ts'
const HOLDING = 'test/e2e/fixtures/holding-agents.ts'

async function modelServer(...script: readonly Reply[]): Promise<ModelServer> {
  const model = await startModelServer({ script: [...script] })
  onTestFinished(() => model.close())
  return model
}

/** Environment of a CLI on the shared server, on a queue of its own. */
function shared(model: ModelServer) {
  return {
    TEMPORAL_ADDRESS: inject('temporal').address,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: undefined,
    PERDURE_TASK_QUEUE: `ending-${randomUUID()}`,
  }
}

test('a worker of a namespace that is none ends at once, and says what to do', async () => {
  const env = shared(await modelServer())
  const worker = startCli(['worker', '--agents', HOLDING, '--namespace', 'nope'], { env })
  expect(await worker.exited).toBe(1)
  expect(worker.stderr()).toContain('Namespace "nope" cannot be used')
})

test('run ends with its run, though the module holds something open; its prints do not break the JSON', async () => {
  const env = shared(await modelServer(say('done')))
  const run = startCli(['run', 'test-agent', 'Go', '--agents', HOLDING, '--json'], { env })
  expect(await run.exited).toBe(0)
  expect(JSON.parse(run.stdout())).toMatchObject({ answer: 'done' })
  expect(run.stderr()).toContain('loaded')
})

test('Ctrl-C while run works a run itself: it ends, and tells that the run is still open', async () => {
  const model = await startModelServer({ respond: () => hang() })
  onTestFinished(() => model.close())
  const env = shared(model)
  const run = startCli(['run', 'test-agent', 'Go', '--agents', AGENTS], { env })
  await model.waitFor(1, { timeoutMs: 30_000 })
  run.signal('SIGINT')
  expect(await run.exited).toBe(1)
  expect(run.stderr()).toContain('is still open')
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s to dev in mid-run stops everything that it started', async (signal, code) => {
  const model = await startModelServer({ respond: () => hang() })
  onTestFinished(() => model.close())
  const env = {
    ...shared(model),
    TEMPORAL_ADDRESS: undefined,
    PERDURE_DIR: await freshFolder(),
    // Settings for another server: they are none of the business of one's own.
    TEMPORAL_NAMESPACE: 'production',
    TEMPORAL_API_KEY: 'not-a-key',
  }
  const dev = startCli(['dev', 'test-agent', 'Go', '--agents', AGENTS], { env })
  await model.waitFor(1, { timeoutMs: 30_000 })
  const told = Date.now()
  dev.signal(signal)
  expect(await dev.exited).toBe(code)
  // Far more than the grace time of 2 s, far less than what a person would wait.
  expect(Date.now() - told).toBeLessThan(12_000)
  const pid = Number(/worker +process (\d+)/.exec(dev.stderr())?.[1])
  expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
  expect(dev.stderr()).not.toMatch(/^ +at /m)
})

test('on a terminal npm start stays up after the run until Ctrl-C, and ends with the code of the run', async (context) => {
  if (process.platform === 'win32') context.skip('no pseudo-terminal on Windows')
  const env = {
    PERDURE_DIR: await freshFolder(),
    TEMPORAL_ADDRESS: undefined,
    OPENAI_API_KEY: undefined,
    OPENAI_BASE_URL: undefined,
    DATABASE_URL: undefined,
  }
  const script = resolve('test/e2e/fixtures/terminal.py')
  const main = ['examples/after-sales/main.ts', 'Where is my order A1001?']
  const start = [process.execPath, '--import', 'tsx', ...main]
  const terminal = startProcess('python3', [script, 'Ctrl-C stops everything', ...start], { env })
  expect(await terminal.exited).toBe(0)
  expect(terminal.stdout()).toMatch(/answered.+ steps/)
  expect(terminal.stdout()).toContain('pressed: True, exit code: 0')
})
