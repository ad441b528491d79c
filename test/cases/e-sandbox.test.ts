import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { callTool, callTools, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { inspectFile } from './fixtures/node-tool.js'
import { observations, openStage, runAgent } from './kit.js'

test('B37 · the bundle holds neither openai nor zod nor any tool', () => {
  const code = readFileSync(inject('temporal').bundle, 'utf8')
  const map = /base64,([A-Za-z0-9+/=]+)\s*$/.exec(code)?.[1] ?? ''
  const { sources } = JSON.parse(Buffer.from(map, 'base64').toString()) as { sources: string[] }
  const packages = sources.flatMap(
    (source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [],
  )
  expect(packages.length).toBeGreaterThan(0)
  for (const name of ['openai', 'zod', 'commander', 'eventsource-parser']) {
    expect(packages).not.toContain(name)
  }
  const ours = sources.filter((source) => !source.includes('node_modules'))
  const folders = ['activities', 'models', 'definition', 'client', 'worker', 'test', 'examples']
  for (const folder of folders) {
    expect(ours.filter((source) => source.includes(`/${folder}/`))).toEqual([])
  }
  expect(code).not.toContain('only-in-the-tool-file')
  expect(code.length - map.length).toBeLessThan(2_000_000)
})

test('B37 · a tool file may import whatever Node has', async () => {
  const outcome = await runAgent({
    agents: [testAgent({ tools: [inspectFile] })],
    script: [callTool('inspect_file', {}), say('done')],
  })
  expect(outcome.result?.answer).toBe('done')
  expect(JSON.parse(observations(outcome)[0] ?? '')).toMatchObject({ hash: 64, client: 'OpenAI' })
})

test('B37 · a conversation of megabytes, and schemas that are slow, hold up no workflow task', async () => {
  const slow = defineTool({
    name: 'slow_schema',
    description: 'Use when the test says so.',
    input: z.object({
      n: z.int(),
      text: z.string().refine((text) => {
        // Hard work: several seconds of it over the run.
        for (const until = Date.now() + 100; Date.now() < until; );
        return text.length > 0
      }),
    }),
    execute: ({ n }) => `${n}`,
  })
  const stage = await openStage({
    agents: [testAgent({ tools: [slow], limits: { maxSteps: 20 }, memory: 'none' })],
  })
  const words = 'word '.repeat(20_000)
  const { result, requests } = await stage.play({
    input: words.repeat(9),
    respond: ({ messages }) => {
      const n = messages.filter(({ role }) => role === 'tool').length
      const args = { n, text: words }
      return n < 8 ? callTools([{ name: 'slow_schema', args }], { text: words }) : say('done')
    },
  })
  expect(result).toMatchObject({ answer: 'done', steps: 9 })
  expect(JSON.stringify(requests.at(-1)?.body).length).toBeGreaterThan(2_000_000)
})
