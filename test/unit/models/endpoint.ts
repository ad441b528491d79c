import { onTestFinished } from 'vitest'
import { modelFailure } from '../../../src/activities/failures.js'
import type { ToolManifest } from '../../../src/contract/manifest.js'
import type { Prompt } from '../../../src/contract/prompt.js'
import { ModelError } from '../../../src/models/model-error.js'
import { type OpenAIOptions, openAIModel } from '../../../src/models/openai.js'
import {
  type ModelServerOptions,
  type Reply,
  startModelServer,
} from '../../../src/testing/index.js'

export const KEY = 'sk-test-1234567890'

/** A signal that never aborts. The openai package leaves a listener on each: share none. */
export function signal(): AbortSignal {
  return new AbortController().signal
}

export const TOOL: ToolManifest = {
  name: 'lookup',
  description: 'Use to look an order up.',
  parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  strict: false,
  activityType: 'lookup-v2',
  annotations: { readOnlyHint: true },
  timeoutMs: 1_000,
  maximumAttempts: 3,
  parallel: true,
  polling: false,
  volatileFields: [],
  sensitive: ['id'],
}

/** A prompt without tools that says hello. */
export function prompt(more: Partial<Prompt> = {}): Prompt {
  return {
    model: 'test-model',
    settings: {},
    instructions: 'Help.',
    messages: [{ role: 'user', text: 'hello' }],
    tools: [],
    parallel: true,
    ...more,
  }
}

/** A model server that is closed after the test, and the model that talks to it. */
export async function endpoint(options: ModelServerOptions, more: Partial<OpenAIOptions> = {}) {
  const server = await startModelServer(options)
  onTestFinished(() => server.close())
  return { server, model: openAIModel({ apiKey: KEY, baseURL: server.url, ...more }) }
}

/** The first attempt of a call with all the time in the world. */
const PATIENCE = { attempt: 1, elapsedMs: 0, totalMs: 600_000 }

/** One request to a server that always gives `reply`: the error, its failure and the requests made. */
export async function failing(reply: Reply, more: Partial<OpenAIOptions> = {}) {
  const { server, model } = await endpoint({ respond: () => reply }, more)
  const error = await model.complete(prompt(), signal()).then(
    (value) => new Error(`no error, but ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ModelError)) throw error
  const failure = modelFailure(error, PATIENCE)
  const { type, nonRetryable, message } = failure
  return { error, failure: { type, nonRetryable, message }, requests: server.requests.length }
}
