import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { AgentClient, NamespaceError, ServerUnreachableError } from '../../src/client.js'
import { defineTool } from '../../src/index.js'
import { callTool, callTools, hang, say } from '../../src/testing/index.js'
import { createWorker, openAIModel } from '../../src/worker.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'

test('a client of the caller is used and left open', async () => {
  const { taskQueue } = await startHarness({ agents: [testAgent()], script: [say('done')] })
  const connection = await Connection.connect({ address: inject('temporal').address })
  onTestFinished(() => connection.close())
  const seen: string[] = []
  const client = new Client({
    connection,
    interceptors: {
      workflow: [
        {
          start: (input, next) => {
            seen.push(input.workflowType)
            return next(input)
          },
        },
      ],
    },
  })
  const agents = await AgentClient.connect({ client, taskQueue })
  const run = await agents.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ answer: 'done' })
  await agents.close()
  expect(seen).toEqual(['agent'])
  expect((await client.workflow.getHandle(run.id).describe()).status.name).toBe('COMPLETED')
})

test('server and namespace come from a TOML profile of Temporal', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-profile-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'temporal.toml')
  const { address } = inject('temporal')
  await writeFile(file, `[profile.staging]\naddress = "${address}"\nnamespace = "default"\n`)
  const before = process.env['TEMPORAL_CONFIG_FILE']
  process.env['TEMPORAL_CONFIG_FILE'] = file
  onTestFinished(() => {
    if (before === undefined) delete process.env['TEMPORAL_CONFIG_FILE']
    else process.env['TEMPORAL_CONFIG_FILE'] = before
  })
  const agents = await AgentClient.connect({ profile: 'staging' })
  onTestFinished(() => agents.close())
  await expect(agents.get(`none-${randomUUID()}`).status()).rejects.toThrow('There is no run')
})

test('a server that does not answer and a namespace that is none are told with what to do', async () => {
  const nowhere = { address: '127.0.0.1:1', environment: false } as const
  const connection = { connectTimeout: '500ms' } as const
  const refused = AgentClient.connect({ ...nowhere, connection })
  await expect(refused).rejects.toThrow(ServerUnreachableError)
  await expect(AgentClient.connect({ ...nowhere, connection })).rejects.toThrow('perdure dev')
  const model = openAIModel({ baseURL: 'http://127.0.0.1:1/v1' })
  const { address } = inject('temporal')
  const worker = { agents: [testAgent()], model }
  await expect(createWorker({ ...worker, ...nowhere })).rejects.toThrow(ServerUnreachableError)
  const nope = createWorker({ ...worker, address, environment: false, namespace: 'nope' })
  await expect(nope).rejects.toThrow(NamespaceError)
})

test('steps are read from a history whose pages are over the 4 MB of gRPC', async () => {
  const large = 'x'.repeat(250_000)
  const { client } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 30 }, memory: 'none' })],
    script: [
      ...Array.from({ length: 24 }, (_, i) => callTool('lookup', { id: `${i}` }, { text: large })),
      say('done'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ steps: 25 })
  expect(await run.steps()).toHaveLength(25)
  // A caller's connection with gRPC's own limit: smaller pages do it too.
  const connection = await Connection.connect({ address: inject('temporal').address })
  onTestFinished(() => connection.close())
  const plain = await AgentClient.connect({ client: new Client({ connection }) })
  expect(await plain.get(run.id).steps()).toHaveLength(25)
  // The SDK tries each refused page for half a minute before it gives up.
}, 300_000)

test('a handle means its own run, also when the id has a later one', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [say('first'), hang()],
  })
  const id = `twice-${randomUUID()}`
  const start = (input: string) => client.start('test-agent', { input, id, onExisting: 'new' })
  const first = await start('one')
  await first.result()
  const second = await start('two')
  await model.waitFor(2)
  expect(await first.status()).toMatchObject({ status: 'completed' })
  expect(await second.status()).toMatchObject({ status: 'running' })
  // Nothing is left to cancel of the first, and the second is not its business.
  await first.cancel()
  expect(await second.status()).toMatchObject({ status: 'running' })
  await second.cancel()
})

test('activities of the user stand beside those of perdure, and names that clash are refused', async () => {
  const own = async () => 'own'
  const { client, startWorker } = await startHarness({
    agents: [testAgent()],
    script: [callTools([{ name: 'lookup', args: { id: 'A1' } }]), say('done')],
    worker: { worker: { activities: { own } } },
  })
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ answer: 'done' })
  const clash = startWorker({ worker: { activities: { lookup: own } } })
  await expect(clash).rejects.toThrow('"lookup" is the activity of a tool')
})

test('interceptors of the worker see the calls of tools', async () => {
  const seen: string[] = []
  const noted = defineTool({
    name: 'noted',
    description: 'Use when the test says so.',
    input: z.object({}),
    execute: () => 'ok',
  })
  const { client } = await startHarness({
    agents: [testAgent({ tools: [noted] })],
    script: [callTool('noted', {}), say('done')],
    worker: {
      interceptors: {
        activity: [
          ({ info }) => ({
            inbound: {
              execute: (input, next) => {
                seen.push(info.activityType)
                return next(input)
              },
            },
          }),
        ],
      },
    },
  })
  await (await client.start('test-agent', { input: 'Go' })).result()
  expect(seen).toEqual(['prepareTurn', 'callModel', 'noted', 'callModel'])
})
