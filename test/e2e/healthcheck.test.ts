import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { expect, inject, test } from 'vitest'
import { startCli, startProcess, type TestProcess } from '../kit/processes.js'

function healthcheck(taskQueue: string, address = inject('temporal').address): TestProcess {
  const env = { TEMPORAL_ADDRESS: address, PERDURE_TASK_QUEUE: taskQueue }
  return startProcess(process.execPath, ['--import', 'tsx', 'deploy/healthcheck.ts'], { env })
}

test('the health check of the image is that a worker of its host polls the queue', async () => {
  const queue = `health-${randomUUID()}`
  const none = healthcheck(queue)
  expect(await none.exited).toBe(1)
  expect(none.stdout()).toBe(`no worker of ${hostname()} polls ${queue} for workflow tasks\n`)

  const { address } = inject('temporal')
  const env = { TEMPORAL_ADDRESS: address, OPENAI_BASE_URL: 'http://127.0.0.1:9' }
  const agents = resolve('test/e2e/fixtures/agents.ts')
  const worker = startCli(['worker', '--agents', agents, '--task-queue', queue], { env })
  await worker.says('polls task queue')
  // The server remembers a poll when it has begun.
  await expect.poll(() => healthcheck(queue).exited, { timeout: 20_000 }).toBe(0)
})

test('without a server the health check fails in time, and says so', async () => {
  const check = healthcheck('any', '127.0.0.1:9')
  expect(await check.exited).toBe(1)
  expect(check.stdout()).toContain('127.0.0.1:9')
}, 30_000)
