import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { type ChatRequest, callTool, callTools, say } from '../../src/testing/index.js'
import { fileArtifacts } from '../../src/worker.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { captureLog } from '../kit/quiet-runtime.js'

// Characters of one, two, three and four bytes, none of them in the same place on two pages.
const REPORT = Array.from({ length: 12_500 }, (_, i) => `${i} größer 数据 🎉\n`).join('')

const report = defineTool({
  name: 'report',
  description: 'Use when the test says so.',
  input: z.object({}),
  annotations: { readOnlyHint: true },
  execute: () => REPORT,
})

const MARK = /\n\[… (\d+) of \d+ characters left out; read_more shows them: id "(\w{9})" …\]\n/
const PAGE = /^\[page (\d+) of (\d+) of what was left out\]\n/

/** The observations of the newest step. */
function newest({ messages }: ChatRequest): string[] {
  const said = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(said + 1).map(({ content }) => `${content}`)
}

test('a result of 300 kB is read to its end from files, by a second worker too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-artifacts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  expect(Buffer.byteLength(REPORT)).toBeGreaterThan(300_000)
  const pages: string[] = []
  let [id, last] = ['', 0]
  const harness = await startHarness({
    agents: [testAgent({ tools: [report], limits: { maxSteps: 20 }, memory: 'none' })],
    withWorker: false,
    respond: (request, { index }) => {
      if (index === 0) return callTool('report', {})
      if (index === 1) id = MARK.exec(newest(request)[0] ?? '')?.[2] ?? ''
      else pages.push(...newest(request))
      last = Number(PAGE.exec(pages.at(-1) ?? '')?.[2] ?? last)
      // First one page, which tells how many there are, then twenty a step.
      const numbers = Array.from({ length: pages.length === 0 ? 1 : 20 }, (_, i) => i + 1)
        .map((n) => pages.length + n)
        .filter((page) => pages.length === 0 || page <= last)
      if (numbers.length === 0) return say('done')
      return callTools(numbers.map((page) => ({ name: 'read_more', args: { id, page } })))
    },
  })
  const log = captureLog()
  const start = (identity: string) =>
    harness.startWorker({ artifacts: fileArtifacts({ dir: folder }), worker: { identity } })
  const first = await start('one worker')
  const run = await harness.client.start('test-agent', { input: 'Go' })
  await harness.model.waitFor(5)
  await start('another')
  await first.stop()
  expect(await run.result()).toMatchObject({ answer: 'done', stopReason: 'answered' })

  const [head = '', cut, , tail = ''] = newest(request(harness, 1))[0]?.split(MARK) ?? []
  const joined = pages.map((page) => page.replace(PAGE, '')).join('')
  expect(joined.length).toBe(Number(cut))
  // Not with toBe: a difference in so long a text takes minutes to print.
  expect(head + joined + tail === REPORT).toBe(true)
  expect(pages.length).toBe(last)

  const { events } = await harness.client.client.workflow.getHandle(run.id).fetchHistory()
  const readers = (events ?? []).map(({ activityTaskStartedEventAttributes: at }) => at?.identity)
  expect(readers).toContain('one worker')
  expect(readers).toContain('another')
  expect(await readdir(folder)).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36}~1\.1\.1~\w{16}\.artifact$/),
  ])
  const said = log.filter(({ message }) => message.includes('workers of this machine only'))
  expect(said).toHaveLength(2)
  expect(said[0]?.level).toBe('WARN')
})

function request(harness: Awaited<ReturnType<typeof startHarness>>, index: number): ChatRequest {
  const body = harness.model.requests[index]?.body
  if (body === undefined) throw new Error(`no request ${index}`)
  return body
}

test('a store that cannot work is told before a worker is made', async () => {
  const harness = await startHarness({ agents: [testAgent()], script: [], withWorker: false })
  const dir = join(import.meta.filename, 'below-a-file')
  await expect(harness.startWorker({ artifacts: fileArtifacts({ dir }) })).rejects.toThrow(
    'ENOTDIR',
  )
})
