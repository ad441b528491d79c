import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serverConfig } from '../../src/config.js'
import { type ChatRequest, callTool, say, startDevServer } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { createGate } from '../kit/gate.js'
import { startHarness } from '../kit/harness.js'

test('kill -9 of the Temporal server in mid-run: restarted on its file, the run finishes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-server-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { path, dir } = serverConfig()
  const dbFile = join(folder, 'temporal.db')
  const server = await startDevServer({ path, dir, dbFile, headless: true })
  onTestFinished(() => server.kill())
  const port = Number(server.address.split(':')[1])
  const restarted = createGate()
  const { client, model } = await startHarness({
    agents: [testAgent()],
    respond: async (_: ChatRequest, { index }) => {
      if (index === 2) await restarted.opened
      return index < 4 ? callTool('lookup', { id: `A${index}` }) : say('done')
    },
    address: server.address,
  })
  const run = await client.start('test-agent', { input: 'Go' })
  const result = run.result()
  await model.waitFor(3)
  await server.kill()
  const second = await startDevServer({ path, dir, dbFile, headless: true, port })
  onTestFinished(() => second.kill())
  restarted.open()
  expect(await result).toMatchObject({ stopReason: 'answered', answer: 'done', steps: 5 })
  // The call that was under way may have been made again, no other.
  const counts = model.requests.map(({ body }) => body?.messages.length)
  expect(new Set(counts).size).toBe(5)
  expect(counts.filter((count) => count !== 6)).toEqual([2, 4, 8, 10])
})
