import OpenAI from 'openai'
import { afterEach } from 'vitest'
import {
  type ModelServer,
  type ModelServerOptions,
  type Reply,
  startModelServer,
} from '../../../src/testing/index.js'

const open: ModelServer[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

/** A model server that is closed after the test. */
export async function start(options: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(options)
  open.push(server)
  return server
}

/** A server that gives every request the same reply. */
export function always(reply: Reply): Promise<ModelServer> {
  return start({ respond: () => reply })
}

export const HELLO = { model: 'test-model', messages: [{ role: 'user', content: 'hello' }] }

export interface PostOptions {
  readonly signal?: AbortSignal
  readonly headers?: Record<string, string>
}

/** Posts a body with plain fetch; a string is sent as it is. */
export function post(
  server: ModelServer,
  body: unknown = HELLO,
  options: PostOptions = {},
): Promise<Response> {
  return fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...options.headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: options.signal ?? null,
  })
}

/** The real client, without its retries. */
export function openai(server: ModelServer, apiKey = 'sk-test'): OpenAI {
  return new OpenAI({ baseURL: server.url, apiKey, maxRetries: 0 })
}

const ASK = {
  model: 'test-model',
  messages: [{ role: 'user' as const, content: 'hello' }],
}

/** One request by the real client, not streamed. */
export function complete(server: ModelServer): Promise<OpenAI.Chat.Completions.ChatCompletion> {
  return openai(server).chat.completions.create(ASK)
}

/** One request by the real client, streamed, with every chunk that came. */
export async function stream(
  server: ModelServer,
  seen: OpenAI.Chat.Completions.ChatCompletionChunk[] = [],
): Promise<OpenAI.Chat.Completions.ChatCompletionChunk[]> {
  const chunks = await openai(server).chat.completions.create({
    ...ASK,
    stream: true,
    stream_options: { include_usage: true },
  })
  for await (const chunk of chunks) seen.push(chunk)
  return seen
}
