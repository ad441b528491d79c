import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { AgentClient } from '../../src/client.js'
import { callTools, say, startModelServer } from '../../src/testing/index.js'
import { attempts } from '../kit/attempts.js'
import { startCli } from '../kit/processes.js'
import { chainOf } from './history.js'

test('B34 · kill -9 after a side effect: it is not done twice, and nothing finished runs again', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'perdure-ledger-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const read = (file: string) => {
    const path = join(dir, file)
    return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').toSorted() : []
  }
  const call = (name: string, n: number) => ({ name, args: { n } })
  const model = await startModelServer({
    script: [
      callTools([call('prepare', 1), call('prepare', 2), call('book', 1)]),
      callTools([call('prepare', 3), call('book', 2), call('book', 3), call('print', 4)]),
      say('done'),
    ],
  })
  onTestFinished(() => model.close())
  const { address } = inject('temporal')
  const taskQueue = `ledger-${randomUUID()}`
  const client = await AgentClient.connect({ address, taskQueue })
  onTestFinished(() => client.close())
  const startWorker = async () => {
    const agents = resolve('test/cases/fixtures/ledger-agents.ts')
    const quick = ['--heartbeat-timeout', '2s', '--sticky-timeout', '1s', '--grace-time', '2s']
    const worker = startCli(['worker', '--agents', agents, '--task-queue', taskQueue, ...quick], {
      env: {
        TEMPORAL_ADDRESS: address,
        OPENAI_BASE_URL: model.url,
        OPENAI_API_KEY: undefined,
        TEST_LEDGER: dir,
      },
    })
    await worker.says('polls task queue')
    return worker
  }
  await writeFile(join(dir, 'hold'), '')
  const first = await startWorker()
  const run = await client.start('ledger', { input: 'Book it.' })
  const begun = () => read('runs').filter((line) => /^(book [23]|print)/.test(line)).length
  await expect.poll(begun, { timeout: 20_000, interval: 10 }).toBe(3)
  const done = async () => (await run.steps())[1]?.calls.map(({ status }) => status)
  await expect.poll(done, { timeout: 20_000 }).toEqual(['ok', 'running', 'running', 'running'])
  first.signal('SIGKILL')
  await first.exited
  await rm(join(dir, 'hold'))
  await startWorker()
  expect(await run.result()).toMatchObject({ stopReason: 'answered', answer: 'done', steps: 3 })
  expect(read('runs')).toEqual([
    'book 1',
    'book 2',
    'book 2',
    'book 3',
    'book 3',
    'prepare 1',
    'prepare 2',
    'prepare 3',
    'print 4',
  ])
  // One line for each of the three bookings, whatever ran how often.
  expect(new Set(read('ledger')).size).toBe(3)
  expect(read('ledger')).toHaveLength(3)
  const texts = model.requests[2]?.body.messages.slice(-4).map(({ content }) => content)
  expect(texts).toEqual([
    'prepared',
    'booked',
    'booked',
    expect.stringContaining('outcome_unknown'),
  ])
  // Each call is an activity of its own: those that were done have one attempt.
  const events = await chainOf(client.client, run.id)
  expect(events.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([])
  expect(model.requests.flatMap(({ violations }) => violations)).toEqual([])
  expect(attempts(events, 'prepare')).toBe(3)
  expect(attempts(events, 'book')).toBe(5)
  expect(attempts(events, 'print')).toBe(1)
})
