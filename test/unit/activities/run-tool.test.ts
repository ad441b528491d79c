import { setTimeout as sleep } from 'node:timers/promises'
import { CancelledFailure } from '@temporalio/activity'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { idempotencyKey } from '../../../src/activities/idempotency-key.js'
import { PromptCache } from '../../../src/activities/prompt-cache.js'
import { assistantMessage, toolMessage, userMessage } from '../../../src/agent/conversation.js'
import { digestOf } from '../../../src/agent/digest.js'
import type { ToolAnnotations } from '../../../src/contract/manifest.js'
import { defineTool } from '../../../src/definition/define-tool.js'
import { activity, doing, input } from './acting-tool.js'
import { attempt, rejection } from './attempt.js'
import { lookupReply, manifestOf } from './sample.js'

describe('a tool that succeeds', () => {
  it.each([
    [{ a: 1 }, '{"a":1}', 8],
    [undefined, '(done; the tool returned no result)', 13],
    [Promise.resolve('later'), 'later', 6],
    [0, '0', 5],
  ])('(row %#) gives an observation and counts its tokens', async (value, text, size) => {
    expect(await attempt().run(activity(doing(() => value)), input())).toEqual({ text, size })
  })

  it('gets its arguments as its schema makes them', async () => {
    const seen: unknown[] = []
    const tool = defineTool({
      name: 'act',
      description: 'Use it.',
      input: z.object({
        day: z.iso.date().transform((text) => new Date(text)),
        limit: z.number().default(10),
      }),
      execute: (args) => {
        seen.push(args)
      },
    })
    await attempt().run(activity(tool), input({ day: '2020-01-02' }))
    expect(seen).toEqual([{ day: new Date('2020-01-02'), limit: 10 }])
  })

  it('gets the part of the context that it asked for', async () => {
    const seen: unknown[] = []
    const tool = defineTool({
      name: 'act',
      description: 'Use it.',
      input: z.object({}),
      context: z.object({ customerId: z.string().transform((id) => id.toUpperCase()) }),
      execute: (_args, { context }) => {
        seen.push(context)
      },
    })
    const context = { customerId: 'c1', secret: 'x' }
    await attempt().run(activity(tool), input({}, { context }))
    expect(seen).toEqual([{ customerId: 'C1' }])
  })

  it('gets the whole context, or null, when it has no schema for it', async () => {
    const tool = doing((_args, { context }) => ({ context }))
    const run = activity(tool)
    expect((await attempt().run(run, input({}, { context: { a: 1 } }))).text).toBe(
      '{"context":{"a":1}}',
    )
    expect((await attempt().run(run, input())).text).toBe('{"context":null}')
  })

  it('gets its attempt, its key and a live signal, and may heartbeat', async () => {
    const call = input({ id: 'A1' })
    const tool = doing((_args, { attempt: nth, idempotencyKey: key, signal, heartbeat }) => {
      heartbeat({ done: 1 })
      return { nth, key, aborted: signal.aborted }
    })
    const { env, run } = attempt({ attempt: 3 })
    const beats: unknown[] = []
    env.on('heartbeat', (details: unknown) => beats.push(details))
    const outcome = await run(activity(tool), call)
    const key = idempotencyKey('act', call)
    expect(JSON.parse(outcome.text)).toEqual({ nth: 3, key, aborted: false })
    expect(beats).toEqual([{ done: 1 }])
  })

  it('has its observation remembered for the next prompt', async () => {
    const cache = new PromptCache()
    const { env, run } = attempt()
    const runKey = `${env.context.info.namespace}/${env.context.info.workflowExecution?.runId}`
    const manifest = manifestOf()
    const first = userMessage('hello')
    cache.begin(runKey, 1, { manifest, messages: [first], context: null })
    const at = { turn: 1, step: 1, count: 1, digest: '' }
    cache.putReply(runKey, at, lookupReply('A1'))
    await run(
      activity(
        doing(() => 'seen'),
        cache,
      ),
      input(),
    )
    const reply = assistantMessage(lookupReply('A1'), 1, 1)
    const messages = [first, reply, toolMessage(reply, 1, 'seen')]
    const next = { turn: 1, step: 2, count: 3, digest: digestOf(manifest, messages) }
    expect(cache.get(runKey, next)?.messages).toEqual(messages)
  })
})

describe('a call that this worker cannot take', () => {
  it('because its tool now wants other arguments, was not run and says so', async () => {
    const tool = defineTool({
      name: 'act',
      description: 'Use it.',
      input: z.object({ renamed: z.string() }),
      execute: () => 'done',
    })
    const outcome = await attempt().run(activity(tool), input({ old: 'x' }))
    expect(JSON.parse(outcome.text)).toMatchObject({ error_type: 'invalid_arguments' })
  })
})

describe('an aborted call', () => {
  /** Runs a tool that waits for its signal, and cancels it once it waits. */
  async function abort(
    reason?: 'CANCELLED' | 'WORKER_SHUTDOWN' | 'TIMED_OUT',
    annotations: ToolAnnotations = {},
  ) {
    const { env, run, logged } = attempt()
    const tool = doing((_args, { signal }) => {
      queueMicrotask(() => (reason === undefined ? env.cancel() : env.cancel(reason)))
      return sleep(60_000, undefined, { signal })
    }, annotations)
    return { failure: await rejection(run(activity(tool), input())), logged }
  }

  it.each([undefined, 'CANCELLED', 'TIMED_OUT'] as const)(
    'ends with the cancellation, not with an observation (%s)',
    async (reason) => {
      const { failure, logged } = await abort(reason)
      expect(failure).toBeInstanceOf(CancelledFailure)
      expect(logged).toEqual([])
    },
  )

  it.each([
    [{ readOnlyHint: true }, false],
    [{ idempotentHint: true }, false],
    [{}, true],
  ])(
    'whose worker stops is tried by another only where that does no harm: %j',
    async (hints, final) => {
      const { failure } = await abort('WORKER_SHUTDOWN', hints)
      expect(failure).toMatchObject({ type: 'WorkerShutdown', nonRetryable: final })
    },
  )

  it('that ends well all the same keeps its result', async () => {
    const { env, run } = attempt()
    const tool = doing(() => {
      env.cancel()
      return 'written'
    })
    expect(await run(activity(tool), input())).toEqual({ text: 'written', size: 6 })
  })
})
