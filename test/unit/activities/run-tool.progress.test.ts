import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../../src/definition/define-tool.js'
import { activity, doing, input } from './acting-tool.js'
import { attempt } from './attempt.js'

function watched(info: Parameters<typeof attempt>[0] = {}) {
  const { env, run } = attempt({ heartbeatTimeoutMs: 40, ...info })
  const beats: unknown[] = []
  env.on('heartbeat', (details: unknown) => beats.push(details))
  return { run, beats }
}

describe('the heartbeat of a tool', () => {
  it('tells again what the tool last told, and does not overwrite it', async () => {
    const { run, beats } = watched()
    const tool = doing(async (_args, { heartbeat }) => {
      heartbeat({ done: 1 })
      await sleep(35)
      heartbeat({ done: 2 })
      await sleep(35)
    })
    await run(activity(tool), input())
    expect(beats.length).toBeGreaterThan(3)
    const done = beats.map((details) => (details as { done: number }).done)
    expect(done).toEqual([...done].sort((a, b) => a - b))
    expect(new Set(done)).toEqual(new Set([1, 2]))
  })

  it('does not overwrite what the attempt before told, until this one tells more', async () => {
    const { run, beats } = watched({ attempt: 2, heartbeatDetails: { done: 7 } })
    const tool = doing(async (_args, { heartbeat }) => {
      await sleep(35)
      heartbeat({ done: 8 })
      await sleep(35)
    })
    await run(activity(tool), input())
    expect(beats[0]).toEqual({ done: 7 })
    expect(beats.at(-1)).toEqual({ done: 8 })
  })

  it('may tell nothing', async () => {
    const { run, beats } = watched()
    await run(activity(doing(() => sleep(35))), input())
    expect(beats.length).toBeGreaterThan(1)
    expect(new Set(beats)).toEqual(new Set([undefined]))
  })
})

it('the hint of a tool follows an empty result, and no other', async () => {
  const tool = defineTool({
    name: 'act',
    description: 'Use it.',
    input: z.object({ n: z.number() }),
    emptyHint: 'Try again with a larger n.',
    execute: ({ n }) => Array.from({ length: n }, (_, i) => i),
  })
  expect(await attempt().run(activity(tool), input({ n: 0 }))).toEqual({
    text: '[] (the result is empty) Try again with a larger n.',
    size: 17,
  })
  expect(await attempt().run(activity(tool), input({ n: 2 }))).toEqual({ text: '[0,1]', size: 7 })
})
