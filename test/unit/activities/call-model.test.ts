import { CancelledFailure } from '@temporalio/activity'
import { describe, expect, it } from 'vitest'
import { createCallModel } from '../../../src/activities/call-model.js'
import { PromptCache } from '../../../src/activities/prompt-cache.js'
import { runKey } from '../../../src/activities/run-key.js'
import { assistantMessage, toolMessage, userMessage } from '../../../src/agent/conversation.js'
import { digestOf } from '../../../src/agent/digest.js'
import type { Message } from '../../../src/contract/messages.js'
import type { Prompt } from '../../../src/contract/prompt.js'
import type { Model, RawReply } from '../../../src/models/model.js'
import { ModelError } from '../../../src/models/model-error.js'
import { attempt, rejection } from './attempt.js'
import { agentWith, lookupReply, manifestOf, NO_TABLES } from './sample.js'
import { workflowClient } from './workflow-client.js'

const agent = agentWith()
const manifest = manifestOf(agent)
const first = [userMessage('hello')]
const ANSWER: RawReply = { text: 'hi', calls: [], finish: 'stop', tokens: null }
const CALL: RawReply = { ...ANSWER, calls: [{ name: 'lookup', arguments: '{"id":"A1"}' }] }

function at(messages: readonly Message[], step = 1) {
  return { turn: 1, step, count: messages.length, digest: digestOf(manifest, messages) }
}

/** A worker whose model answers by `complete`, and whose workflow has `stored`. */
function worker(complete: Model['complete'], stored: readonly Message[] = first) {
  const prompts: Prompt[] = []
  const { client, asked } = workflowClient(() => ({
    kind: 'page',
    manifest,
    messages: stored,
    next: null,
  }))
  const model: Model = {
    complete: (prompt, signal) => {
      prompts.push(prompt)
      return complete(prompt, signal)
    },
  }
  const cache = new PromptCache()
  const callModel = createCallModel({
    agents: new Map([[agent.name, agent]]),
    modelOf: () => model,
    cache,
    tokenizer: NO_TABLES,
    draining: new AbortController().signal,
  })
  return { ...attempt({ heartbeatTimeoutMs: 10_000 }, client), callModel, cache, prompts, asked }
}

describe('callModel', () => {
  it('builds the prompt from what this worker has seen, without a query', async () => {
    const { run, env, callModel, cache, prompts, asked } = worker(async () => ANSWER)
    cache.begin(runKey(env.context.info), 1, { manifest, messages: first, context: null })
    expect(await run(callModel, at(first))).toEqual({ ...ANSWER, calls: [], size: 5 })
    expect(asked).toEqual([])
    expect(prompts).toMatchObject([
      { model: 'test-model', instructions: 'Help.', messages: first, tools: manifest.tools },
    ])
  })

  it('asks the workflow once when it has seen nothing, and not again for the next step', async () => {
    const { run, env, callModel, cache, prompts, asked } = worker(async () => CALL)
    await run(callModel, at(first))
    cache.putObservation(runKey(env.context.info), { turn: 1, step: 1, call: 1 }, 'found A1')
    const reply = assistantMessage({ ...lookupReply('A1'), text: 'hi' }, 1, 1)
    const messages = [...first, reply, toolMessage(reply, 1, 'found A1')]
    await run(callModel, at(messages, 2))
    expect(asked).toHaveLength(1)
    expect(prompts[1]?.messages).toEqual(messages)
  })

  it('offers no tools for the forced answer', async () => {
    const { run, callModel, prompts } = worker(async () => ANSWER)
    await run(callModel, { ...at(first), forced: true })
    expect(prompts[0]?.tools).toEqual([])
  })

  it('checks the calls of the reply', async () => {
    const calls = [{ name: 'nope', arguments: '{}' }]
    const { run, callModel } = worker(async () => ({ ...ANSWER, calls }))
    expect((await run(callModel, at(first))).calls).toMatchObject([
      { name: 'nope', problem: expect.stringContaining('unknown_tool') },
    ])
  })

  it('asks the model once an attempt, and types what it threw', async () => {
    const { run, callModel, prompts } = worker(() =>
      Promise.reject(new ModelError('overloaded', { status: 503 })),
    )
    expect(await rejection(run(callModel, at(first)))).toMatchObject({
      type: 'ModelUnavailable',
      nonRetryable: false,
      message: 'HTTP 503: overloaded',
    })
    expect(prompts).toHaveLength(1)
  })

  it('asks no model when the prompt cannot be read', async () => {
    const { run, callModel, prompts } = worker(async () => ANSWER, [userMessage('other')])
    expect(await rejection(run(callModel, at(first)))).toMatchObject({ type: 'PromptUnavailable' })
    expect(prompts).toEqual([])
  })
})

describe('a model call that is aborted', () => {
  function hanging(end: () => void): Model['complete'] {
    return (_prompt, signal) => {
      queueMicrotask(end)
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new ModelError('aborted', { status: null })))
      })
    }
  }

  it('ends with the cancellation', async () => {
    const { run, env, callModel } = worker(hanging(() => env.cancel()))
    expect(await rejection(run(callModel, at(first)))).toBeInstanceOf(CancelledFailure)
  })

  it('is tried by another worker when only its worker stops', async () => {
    const { run, env, callModel } = worker(hanging(() => env.cancel('WORKER_SHUTDOWN')))
    expect(await rejection(run(callModel, at(first)))).toMatchObject({
      type: 'WorkerShutdown',
      nonRetryable: false,
    })
  })

  it('while it reads the prompt ends with the cancellation as well', async () => {
    const { run, env, callModel, prompts } = worker(async () => ANSWER)
    env.cancel()
    expect(await rejection(run(callModel, at(first)))).toBeInstanceOf(CancelledFailure)
    expect(prompts).toEqual([])
  })
})
