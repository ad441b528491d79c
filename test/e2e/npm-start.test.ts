import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { standInReply } from '../../examples/after-sales/stand-in-model.js'
import { AgentClient } from '../../src/client.js'
import { serverConfig } from '../../src/config.js'
import { startDevServer, startModelServer } from '../../src/testing/index.js'
import { freshFolder } from '../kit/fresh-folder.js'
import { historyText } from '../kit/history-text.js'
import { type ProcessOptions, startProcess, type TestProcess } from '../kit/processes.js'

function npmStart(env: ProcessOptions['env'], ...args: string[]): TestProcess {
  const plain = { TEMPORAL_ADDRESS: undefined, DATABASE_URL: undefined, PERDURE_UI_URL: undefined }
  const model = { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined, OPENAI_MODEL: undefined }
  return startProcess('npm', ['start', '--', ...args], { env: { ...plain, ...model, ...env } })
}

const QUESTION = 'Why has order A1001 not shipped? If it is late, refund it and email me.'

test('npm start runs the example from nothing, tells what is real, and stops what it started', async () => {
  const dir = await freshFolder()
  const start = npmStart({ PERDURE_DIR: dir }, QUESTION)
  expect(await start.exited).toBe(0)
  const said = start.stderr()
  expect(said).toMatch(/model +no OPENAI_API_KEY or OPENAI_BASE_URL: a rule-based stand-in/)
  expect(said).toMatch(
    /temporal +temporal \d+\.\d+\.\d+ .* 127\.0\.0\.1:\d+ · UI http:\/\/127\.0\.0\.1:\d+/,
  )
  expect(said).toMatch(/worker +process \d+ · after-sales/)
  const shown = start.stdout()
  for (const tool of [
    'lookup_order',
    'track_shipment',
    'refund_policy',
    'issue_refund',
    'send_email',
  ]) {
    expect(shown).toContain(`  ${tool}(`)
  }
  expect(shown).toMatch(/answered · 5 steps · \d+ tokens · \d+\.\d s/)
  expect(shown).toMatch(/http:\/\/127\.0\.0\.1:\d+\/namespaces\/default\/workflows\/after-sales-/)
  const pid = Number(/worker +process (\d+)/.exec(said)?.[1])
  expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)

  // The data is kept: a second start finds the refund made, and the first run still there.
  const again = npmStart({ PERDURE_DIR: dir }, QUESTION)
  expect(await again.exited).toBe(0)
  expect(again.stdout()).toContain('already refunded')
  const { path } = serverConfig()
  const server = await startDevServer({ path, dir, dbFile: join(dir, 'temporal.db') })
  onTestFinished(() => server.kill())
  const client = await AgentClient.connect({ address: server.address })
  onTestFinished(() => client.close())
  const id = /workflows\/(after-sales-[0-9a-f-]+)\//.exec(shown)?.[1] ?? ''
  expect(await client.get(id).result()).toMatchObject({ stopReason: 'answered' })
  expect(await client.get(id).steps()).toHaveLength(5)
})

test('npm start uses a configured model and server, and the key reaches neither output nor history', async () => {
  const { path } = serverConfig()
  const server = await startDevServer({ path, dir: serverConfig().dir })
  onTestFinished(() => server.kill())
  const apiKey = 'sk-secret-of-this-test'
  const model = await startModelServer({ respond: standInReply, apiKey })
  onTestFinished(() => model.close())
  const start = npmStart(
    {
      PERDURE_DIR: await freshFolder(),
      TEMPORAL_ADDRESS: server.address,
      OPENAI_API_KEY: apiKey,
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: 'a-model-of-mine',
    },
    QUESTION,
    '--once',
  )
  expect(await start.exited).toBe(0)
  expect(start.stderr()).not.toContain('stand-in')
  expect(start.stderr()).toContain(server.address)
  expect(model.requests[0]?.body?.model).toBe('a-model-of-mine')
  expect(start.stdout() + start.stderr()).not.toContain(apiKey)
  const client = await AgentClient.connect({ address: server.address })
  onTestFinished(() => client.close())
  const runs = []
  for await (const { id } of client.list()) runs.push(id)
  expect(runs).toHaveLength(1)
  const { events } = await client.client.workflow.getHandle(runs[0] ?? '').fetchHistory()
  const text = historyText(events)
  expect(text).toContain('A1001')
  expect(text).not.toContain(apiKey)
})
