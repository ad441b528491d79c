import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { type ChatRequest, callTool, callTools, say } from '../../src/testing/index.js'
import type { RunWorkerOptions } from '../../src/worker.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { timelineOf } from '../kit/timeline.js'

type ArtifactStore = NonNullable<RunWorkerOptions['artifacts']>

/** A text in which each place is another. */
const numbered = (chars: number) =>
  Array.from({ length: chars / 8 }, (_, i) => `${i}`.padStart(7, '中').concat(' ')).join('')

const read = defineTool({
  name: 'read',
  description: 'Use when a text is to be read.',
  input: z.object({ chars: z.int() }),
  annotations: { readOnlyHint: true },
  execute: ({ chars }) => numbered(chars),
})

const offered = ({ tools = [] }: ChatRequest) => tools.map((tool) => tool.function.name)
const newest = ({ messages }: ChatRequest) => `${messages.at(-1)?.content}`
const MARK = /\n\[… (\d+) of (\d+) characters left out; read_more shows them: id "(\w{9})" …\]\n/
const PAGE = /^\[page (\d+) of (\d+) of what was left out([^\]]*)\]\n(.*)$/s

/** A model that reads one text of so many characters, and then page by page all that was cut from it. */
async function readAll(chars: number, artifacts?: ArtifactStore) {
  const harness = await startHarness({
    agents: [testAgent({ tools: [read], limits: { maxSteps: 100 }, memory: 'none' })],
    worker: artifacts === undefined ? {} : { artifacts },
    respond: (request, { index }) => {
      if (index === 0) return callTool('read', { chars })
      const [, page = '0', pages] = PAGE.exec(newest(request)) ?? []
      if (page === pages || newest(request).startsWith('{"status":"error"')) return say('done')
      const id = MARK.exec(`${request.messages[3]?.content}`)?.[3] ?? ''
      return callTool('read_more', { id, page: Number(page) + 1 })
    },
  })
  const run = await harness.client.start('test-agent', { input: 'Go' })
  const result = await run.result()
  const handle = harness.client.client.workflow.getHandle(run.id)
  const { events = [] } = await handle.fetchHistory()
  const requests = harness.model.requests.map(({ body }) => body)
  const pages = requests.slice(2).map((request) => PAGE.exec(newest(request)))
  const [head, left, total, id, tail] = `${requests[1]?.messages[3]?.content}`.split(MARK)
  return {
    result,
    requests,
    timeline: timelineOf(events),
    steps: await run.steps(),
    cut: { left: Number(left), total: Number(total), id },
    /** Why the last page is not the end; '' when it is. */
    dropped: pages.at(-1)?.[3],
    whole: [head, ...pages.map((page) => page?.[4]), tail].join(''),
  }
}

test('a cut observation can be read page by page, from the state of the run', async () => {
  const { result, requests, timeline, steps, cut, whole } = await readAll(8_000)
  expect(result).toMatchObject({ stopReason: 'answered' })
  expect(cut).toMatchObject({ total: 8_000 })
  expect(whole).toBe(numbered(8_000))
  // Offered once there is something to read, and free: no activity answers it.
  expect(requests.map(offered)).toEqual([
    ['read'],
    ...requests.slice(1).map(() => ['read', 'read_more']),
  ])
  expect(timeline.map(({ type }) => type).filter((type) => type !== 'callModel')).toEqual(['read'])
  const paged = steps.flatMap(({ calls }) => calls).filter(({ name }) => name === 'read_more')
  expect(paged.length).toBe(requests.length - 2)
  expect(paged.map(({ status, observation }) => [status, observation])).toEqual(
    requests.slice(2).map((request) => ['ok', newest(request)]),
  )
})

test('an id that is none, a page that is none: the model is told', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [read] })],
    respond: (request, { index }) => {
      if (index === 0) return callTool('read', { chars: 4_000 })
      if (index > 1) return say('done')
      const id = MARK.exec(newest(request))?.[3] ?? ''
      return callTools(
        [
          { id: 'constructor', page: 1 },
          { id, page: 99 },
        ].map((args) => ({ name: 'read_more', args })),
      )
    },
  })
  const run = await client.start('test-agent', { input: 'Go' })
  await run.result()
  const told = model.requests[2]?.body.messages.slice(-2).map(({ content }) => `${content}`)
  expect(told?.[0]).toContain('Nothing is kept under this id')
  expect(told?.[1]).toContain('There are pages 1 to 2.')
  const [, second] = await run.steps()
  expect(second).toMatchObject({ status: 'done' })
})

test('without a store the end of a very long result is dropped, and the last page says so', async () => {
  const { cut, dropped, whole } = await readAll(40_000)
  expect(cut.total).toBe(40_000)
  const more = Number(/; (\d+) more were not kept/.exec(`${dropped}`)?.[1])
  expect(whole.length + more).toBe(40_000)
  expect(more).toBeGreaterThan(0)
})

test('an artifact store keeps what is too large for the run, and its pages are activities', async () => {
  const kept = new Map<string, string>()
  const store: ArtifactStore = {
    put: async (key, text) => {
      kept.set(key, text)
    },
    get: async (key) => kept.get(key) ?? null,
  }
  const { timeline, steps, requests, whole } = await readAll(40_000, store)
  expect(whole).toBe(numbered(40_000))
  expect(kept.size).toBe(1)
  const pages = requests.length - 2
  expect(timeline.filter(({ type }) => type === 'read_more')).toHaveLength(pages)
  const paged = steps.flatMap(({ calls }) => calls).filter(({ name }) => name === 'read_more')
  expect(paged.map(({ status, observation }) => [status, observation])).toEqual(
    requests.slice(2).map((request) => ['ok', newest(request)]),
  )
})

test('a store that is down costs the rest of a result, not the run', async () => {
  const down = async () => {
    throw new Error('the disk at /secret/path is full')
  }
  const lost = await readAll(40_000, { put: down, get: down })
  expect(lost.result).toMatchObject({ stopReason: 'answered' })
  expect(lost.dropped).toContain('more were not kept')
  const unread = await readAll(40_000, { put: async () => {}, get: async () => null })
  expect(unread.result).toMatchObject({ stopReason: 'answered' })
  expect(newest(unread.requests[2] as ChatRequest)).toContain('Nothing is kept under this id')
})
