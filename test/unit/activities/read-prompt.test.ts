import { describe, expect, it } from 'vitest'
import { readPrompt } from '../../../src/activities/read-prompt.js'
import { userMessage } from '../../../src/agent/conversation.js'
import { digestOf } from '../../../src/agent/digest.js'
import type { PromptPage, PromptRequest } from '../../../src/contract/run.js'
import { attempt, rejection } from './attempt.js'
import { manifestOf } from './sample.js'
import { workflowClient } from './workflow-client.js'

const manifest = manifestOf()
const messages = ['one', 'two', 'three'].map(userMessage)
const input = { turn: 1, step: 4, count: 3, digest: digestOf(manifest, messages) }
const never = new AbortController().signal

/** The workflow's answer with one message a page. */
function paged({ from }: PromptRequest): PromptPage {
  const next = from + 1 < messages.length ? from + 1 : null
  return {
    kind: 'page',
    manifest: from === 0 ? manifest : null,
    messages: messages.slice(from, from + 1),
    next,
  }
}

function reading(answer: (request: PromptRequest) => PromptPage | Promise<PromptPage>) {
  const { client, asked } = workflowClient(answer)
  const { env } = attempt({}, client)
  return {
    asked,
    env,
    read: (draining = never) => readPrompt(env.context, input, draining),
  }
}

describe('the prompt', () => {
  it('is read page by page, from the run that scheduled the call', async () => {
    const { read, asked, env } = reading(paged)
    expect(await read()).toEqual({ manifest, messages, context: null })
    const { workflowId, runId } = env.context.info.workflowExecution ?? {}
    expect(asked).toEqual(
      [0, 1, 2].map((from) => ({
        workflowId,
        runId,
        name: 'prompt',
        request: { turn: 1, step: 4, from },
      })),
    )
  })

  it('of a run at another step by now is a final failure', async () => {
    const { read } = reading(() => ({ kind: 'stale' }))
    expect(await rejection(read())).toMatchObject({
      type: 'PromptUnavailable',
      nonRetryable: true,
      message: expect.stringContaining('another step'),
    })
  })

  it('that changed while it was read is a retryable failure', async () => {
    const { read } = reading((request) =>
      request.from === 2 ? { ...paged(request), messages: [userMessage('new')] } : paged(request),
    )
    expect(await rejection(read())).toMatchObject({
      type: 'PromptUnavailable',
      nonRetryable: false,
      message: expect.stringContaining('changed'),
    })
  })

  it('without a manifest is a retryable failure', async () => {
    const { read } = reading((request) => ({ ...paged(request), manifest: null }))
    expect(await rejection(read())).toMatchObject({
      type: 'PromptUnavailable',
      nonRetryable: false,
    })
  })

  it('that comes late is asked for again, five times at most', async () => {
    const late = Object.assign(new Error('deadline exceeded'), { code: 4 })
    let left = 2
    const patient = reading((request) => (left-- > 0 ? Promise.reject(late) : paged(request)))
    expect(await patient.read()).toMatchObject({ messages })
    expect(patient.asked).toHaveLength(2 + messages.length)
    const idle = reading(() => Promise.reject(late))
    expect(await rejection(idle.read())).toMatchObject({ nonRetryable: false })
    expect(idle.asked).toHaveLength(5)
  })

  it('that no worker gives is a retryable failure with the cause', async () => {
    const cause = new Error('deadline exceeded')
    const { read } = reading(() => Promise.reject(cause))
    expect(await rejection(read())).toMatchObject({
      type: 'PromptUnavailable',
      nonRetryable: false,
      message: expect.stringContaining('did not answer in time'),
      cause,
    })
  })

  it('is given up as soon as the worker drains', async () => {
    const drain = new AbortController()
    const { read } = reading(() => {
      drain.abort()
      return new Promise(() => {})
    })
    expect(await rejection(read(drain.signal))).toMatchObject({
      type: 'PromptUnavailable',
      nonRetryable: false,
    })
  })

  it('is not asked for once the worker drains', async () => {
    const { read, asked } = reading(paged)
    await rejection(read(AbortSignal.abort()))
    expect(asked).toEqual([])
  })

  it('that is not asked for is a failure of the documented type', async () => {
    const { read } = reading(paged)
    expect(await rejection(read(AbortSignal.abort()))).toMatchObject({ type: 'PromptUnavailable' })
  })

  it('is given up as soon as the call is cancelled', async () => {
    const { read, env } = reading(() => {
      env.cancel()
      return new Promise(() => {})
    })
    expect(await rejection(read())).toMatchObject({ type: 'PromptUnavailable' })
  })
})
