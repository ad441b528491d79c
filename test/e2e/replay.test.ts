import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, expect, inject, onTestFinished, type TestContext, test } from 'vitest'
import { environmentVariable, serverConfig } from '../../src/config.js'
import { findServer } from '../../src/server/find-server.js'
import { callTool, say, status } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { launchBrowser } from '../kit/browser.js'
import { type Harness, startHarness } from '../kit/harness.js'
import { startCli } from '../kit/processes.js'

const AGENTS = 'test/e2e/fixtures/agents.ts'
/** Milliseconds for what a page of the UI fetches; a busy machine needs some. */
const PAGE_MS = 60_000

/** A run that was asked twice for its first step, and answered at the second. */
async function answeredRun(): Promise<{ readonly id: string; readonly harness: Harness }> {
  const harness = await startHarness({
    agents: [testAgent()],
    script: [status(503), callTool('lookup', { id: 'A1' }), say('A1 is there.')],
  })
  const id = `replay-${randomUUID()}`
  const run = await harness.client.start('test-agent', { input: 'Is A1 there?', id })
  await run.result()
  return { id, harness }
}

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-replay-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Runs a command against the shared server to its end. */
async function cli(...args: string[]) {
  const env = { TEMPORAL_ADDRESS: inject('temporal').address, OPENAI_API_KEY: '' }
  const { exited, stdout, stderr } = startCli(args, { env })
  return { code: await exited, out: stdout(), err: stderr() }
}

test('a run replays from the server: the run, why it ended, the verdict, what has changed since', async () => {
  const { id } = await answeredRun()
  const { code, out } = await cli('replay', id, '--agents', AGENTS)
  expect(code).toBe(0)
  expect(out).toContain(`test-agent · test-model · ${id}\nIs A1 there?\n`)
  expect(out).toMatch(
    /prompt of 1 message, \d+ characters\nstep 1 · 1 call .* · 2 attempts\n {4}tried again after: HTTP 503/,
  )
  expect(out).toContain('lookup(id: "A1")')
  expect(out).toMatch(
    /A1 is there\.\n\nanswered: the model answered, after 2 steps\n\d+ events · loop 1\ndeterministic\n/,
  )
  expect(out).toContain('the definition of test-agent is what it was')
})

test('--step N --prompt prints the request as the model server got it, and nothing else', async () => {
  const { id, harness } = await answeredRun()
  const { code, out } = await cli('replay', id, '--step', '2', '--prompt')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual(harness.model.requests[2]?.body)
  const step = await cli('replay', id, '--step', '2')
  expect(step.out).toContain('step 2 · answer')
  expect(step.out).not.toContain('step 1')
  expect(await cli('replay', id, '--step', '3')).toMatchObject({ code: 2 })
})

test('an export replays without a server; a changed one is exit code 1, with event and line', async () => {
  const { id } = await answeredRun()
  const file = join(await freshFolder(), 'run.json')
  expect(await cli('export', id, file)).toMatchObject({ code: 0, out: '' })
  const nowhere = ['--address', '127.0.0.1:1', '--json']
  const good = await cli('replay', file, ...nowhere)
  expect(good.code).toBe(0)
  expect(JSON.parse(good.out)).toMatchObject({
    id,
    verdict: { kind: 'deterministic' },
    steps: [
      { step: 1, prompt: { messages: 1 } },
      { step: 2, prompt: { messages: 3 } },
    ],
    end: { status: 'completed', reason: 'answered' },
    drift: null,
  })
  const text = await readFile(file, 'utf8')
  await writeFile(
    file,
    text.replace('"activityType":{"name":"lookup"}', '"activityType":{"name":"x"}'),
  )
  const bad = await cli('replay', file)
  expect(bad.code).toBe(1)
  expect(bad.out).toMatch(
    /diverged at event \d+ \(ActivityTaskScheduled\): recorded is activity "x", today's code makes activity "lookup"\n {2}in src\/workflows\/effects\.ts:\d+ ← /,
  )
})

test('--all replays the runs of a filter and is exit code 1 when one of them diverges', async () => {
  const { id, harness } = await answeredRun()
  const query = `WorkflowId = '${id}'`
  await expect
    .poll(
      async () => {
        const ids: string[] = []
        for await (const run of harness.client.list({ query })) ids.push(run.id)
        return ids
      },
      { timeout: 20_000 },
    )
    .toEqual([id])
  const all = await cli('replay', '--all', '--query', query, '--since', '1h', '--agents', AGENTS)
  expect(all).toMatchObject({ code: 0, err: '' })
  expect(all.out).toBe('1 run · 1 deterministic · 0 diverged\n')
  const none = await cli('replay', '--all', '--query', `${query} AND ExecutionStatus = 'Failed'`)
  expect(none).toMatchObject({ code: 0, out: '0 runs · 0 deterministic · 0 diverged\n' })
  const asJson = await cli('replay', '--all', '--query', query, '--json')
  expect(JSON.parse(asJson.out)).toMatchObject({
    runs: 1,
    deterministic: 1,
    replays: [{ id, steps: 2, end: { reason: 'answered' } }],
  })
})

test('an export with a secret in it is refused, saying where', async () => {
  const key = `sk-proj-${'a1'.repeat(16)}`
  const harness = await startHarness({
    agents: [testAgent()],
    script: [callTool('lookup', { id: key }), say('done')],
  })
  const id = `replay-${randomUUID()}`
  await (await harness.client.start('test-agent', { input: 'Go', id })).result()
  const refused = await cli('export', id, '-')
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toMatch(/an API key in event \d+ \(activityTaskCompleted\.result\)/)
  expect(refused.err).not.toContain(key)
  const forced = await cli('export', id, '-', '--force')
  expect(JSON.parse(forced.out)).toMatchObject({ perdureRun: 1, id })
})

test('bad calls are exit code 2 and say what to do', async () => {
  const cases: [string[], string][] = [
    [['replay'], 'Give the id of a run, a file, or --all.'],
    [['replay', 'x', '--all'], 'Give runs or --all, not both.'],
    [['replay', 'x', '--prompt'], '--prompt needs --step <n>.'],
    [['replay', '--all', '--since', 'soon'], 'Give an age'],
    [['replay', 'package.json'], 'package.json is no history'],
    [['replay', `none-${randomUUID()}`], 'There is no run'],
    [['export', `none-${randomUUID()}`, '-'], 'There is no run'],
    [['replay', 'x', '--data-converter', AGENTS], 'exports no converter'],
  ]
  for (const [args, text] of cases) {
    const { code, err, out } = await cli(...args)
    expect(code, args.join(' ')).toBe(2)
    expect(err).toContain(text)
    expect(out).toBe('')
  }
})

let temporal: string
beforeAll(async () => {
  const { path, dir } = serverConfig()
  const found = await findServer({ path, dir })
  temporal = found.kind === 'binary' ? found.path : ''
})

test.each(['json', 'jsonl'])(
  'what "temporal workflow show --output %s" writes replays',
  async (output) => {
    const { id } = await answeredRun()
    const args = ['workflow', 'show', '--workflow-id', id, '--output', output]
    const { address } = inject('temporal')
    const { stdout } = await promisify(execFile)(temporal, [...args, '--address', address])
    const file = join(await freshFolder(), 'show.json')
    await writeFile(file, stdout)
    const { code, out } = await cli('replay', file)
    expect(code).toBe(0)
    expect(out).toContain(`test-agent · test-model · ${id}\n`)
    expect(out).toMatch(/^answered: the model answered, after 2 steps\n.*\ndeterministic$/m)
  },
)

test("what the Temporal UI's download button gives replays, in each of its formats", {
  timeout: 4 * PAGE_MS,
}, async (context) => {
  const page = await openPage(context)
  const { id, harness } = await answeredRun()
  const folder = await freshFolder()
  await page.goto(harness.client.get(id).url ?? '')
  await page.getByRole('heading', { name: id }).waitFor()
  for (const format of ['Encoded', 'Decoded', 'Human Readable']) {
    await page.getByRole('button', { name: 'Download' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(format, { exact: true }).click()
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    const file = join(folder, `${format}.json`)
    await (await download).saveAs(file)
    const isReadable = (await readFile(file, 'utf8')).includes('Is A1 there?')
    expect(isReadable).toBe(format === 'Human Readable')
  }
  const files = ['Encoded', 'Decoded', 'Human Readable'].map((one) => join(folder, `${one}.json`))
  const { code, out } = await cli('replay', ...files)
  expect(code).toBe(0)
  expect(out.match(/^deterministic$/gm)).toHaveLength(3)
  expect(out.match(/^A1 is there\.$/gm)).toHaveLength(3)
  const requests = files.map((file) => cli('replay', file, '--step', '2', '--prompt'))
  for (const request of requests) {
    expect(JSON.parse((await request).out)).toEqual(harness.model.requests[2]?.body)
  }
})

/** A page of the machine's Chromium. Skips the test, saying why, where there is none; in CI that is a failure. */
async function openPage(context: TestContext): Promise<Page> {
  const browser = await launchBrowser().catch((error: unknown) => {
    if (environmentVariable('CI') !== undefined) throw error
    return context.skip(error instanceof Error ? error.message : String(error))
  })
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ acceptDownloads: true })
  page.setDefaultTimeout(PAGE_MS)
  return page
}
