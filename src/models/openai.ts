import OpenAI, { APIError, APIUserAbortError } from 'openai'
import { callId, type Message } from '../contract/messages.js'
import type { Prompt } from '../contract/prompt.js'
import { shorten } from '../contract/text.js'
import type { Model } from './model.js'
import { ModelError } from './model-error.js'
import { readCompletion } from './read-completion.js'
import { decoded, redactor } from './redact.js'

type Params = OpenAI.ChatCompletionCreateParamsNonStreaming
type Param = OpenAI.ChatCompletionMessageParam

/** Characters of an error's message at most. */
const MAX_CHARS = 500
/** Characters of it that are looked at: a server may send a book. */
const MAX_READ_CHARS = 5_000

/** Where an OpenAI-compatible API is. */
export interface OpenAIOptions {
  /** Sent as bearer token. @default none is needed (local servers) */
  readonly apiKey?: string | undefined
  /** Such as `http://127.0.0.1:8080/v1`. @default OpenAI's own */
  readonly baseURL?: string | undefined
}

/**
 * A model behind an OpenAI-compatible chat completions API. A user and password in the base URL are sent
 * as basic authentication.
 *
 * @throws TypeError when the base URL is none, or holds credentials beside an API key
 */
export function openAIModel({ apiKey, baseURL }: OpenAIOptions): Model {
  const { url, credentials } = splitUrl(baseURL)
  if (credentials !== undefined && apiKey !== undefined) {
    throw new TypeError(
      'The base URL holds a user and password, and there is an API key: give one.',
    )
  }
  const client = new OpenAI({
    // The package refuses to start without a key, local servers ignore it.
    apiKey: apiKey ?? 'none',
    baseURL: url,
    ...(credentials === undefined ? {} : { defaultHeaders: { Authorization: credentials } }),
    // Temporal retries; two layers of retries multiply.
    maxRetries: 0,
  })
  const redact = redactor({ keys: [apiKey], urls: [baseURL] })
  return {
    complete: async (prompt, signal) => {
      try {
        return readCompletion(await client.chat.completions.create(toParams(prompt), { signal }))
      } catch (error) {
        throw toModelError(error, redact)
      }
    },
  }
}

function toParams({ model, settings, tools, parallel, ...rest }: Prompt): Params {
  return {
    model,
    messages: [{ role: 'system', content: rest.instructions }, ...rest.messages.map(toParam)],
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(settings.topP === undefined ? {} : { top_p: settings.topP }),
    ...(settings.maxTokens === undefined ? {} : { max_tokens: settings.maxTokens }),
    ...(settings.seed === undefined ? {} : { seed: settings.seed }),
    ...(settings.stop === undefined ? {} : { stop: [...settings.stop] }),
    // Servers refuse empty tools, and what is said of tools without any.
    ...(tools.length === 0 ? {} : toolParams({ tools, parallel })),
  }
}

function toolParams({ tools, parallel }: Pick<Prompt, 'tools' | 'parallel'>) {
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function' as const,
      function: { name, description, parameters: { ...parameters } },
    })),
    ...(parallel ? {} : { parallel_tool_calls: false }),
  }
}

function toParam(message: Message): Param {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text }
    case 'tool':
      return { role: 'tool', tool_call_id: message.id, content: message.text }
    case 'assistant':
      return {
        role: 'assistant',
        content: message.text,
        ...(message.calls.length === 0
          ? {}
          : {
              tool_calls: message.calls.map(({ name, args }, i) => ({
                id: callId(message.turn, message.step, i + 1),
                type: 'function' as const,
                function: { name, arguments: JSON.stringify(args) },
              })),
            }),
      }
  }
}

/** fetch refuses a URL that holds credentials: they go into the header that they stand for. */
function splitUrl(baseURL: string | undefined): { url: string | null; credentials?: string } {
  if (baseURL === undefined) return { url: null }
  if (!URL.canParse(baseURL)) {
    throw new TypeError('The base URL is none: give one such as http://127.0.0.1:8080/v1.')
  }
  const url = new URL(baseURL)
  const { username, password } = url
  if (username === '' && password === '') return { url: baseURL }
  url.username = ''
  url.password = ''
  const pair = `${decoded(username)}:${decoded(password)}`
  return { url: url.href, credentials: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** The message of an error may echo the request: no key and no password leaves this file. */
function toModelError(error: unknown, redact: (text: string) => string): unknown {
  if (error instanceof APIUserAbortError) return error
  const whole = error instanceof Error ? describe(error) : String(error)
  // Redacted before it is cut to size: half a key would not be known as one.
  const text = shorten(redact(whole.slice(0, MAX_READ_CHARS)), MAX_CHARS)
  if (error instanceof ModelError) return new ModelError(text, error)
  if (error instanceof APIError && error.status !== undefined) {
    const { status, code, headers } = error
    return new ModelError(text, { status, code: code ?? null, headers: headers ?? new Headers() })
  }
  // A reset in the body is a bare TypeError, cut JSON a bare SyntaxError: the network's doing as well.
  return new ModelError(text, { status: null, code: 'connection' })
}

function describe(error: Error): string {
  const { cause } = error
  // The status is told beside the message.
  const message = error.message.replace(/^\d{3} /, '')
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
