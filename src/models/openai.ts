import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from 'openai'
import { callId, type Message } from '../contract/messages.js'
import type { Prompt } from '../contract/prompt.js'
import { shorten } from '../contract/text.js'
import type { Model } from './model.js'
import { ModelError } from './model-error.js'
import { readCompletion } from './read-completion.js'
import { redactor } from './redact.js'

type Params = OpenAI.ChatCompletionCreateParamsNonStreaming
type Param = OpenAI.ChatCompletionMessageParam

/** Where an OpenAI-compatible API is. */
export interface OpenAIOptions {
  /** Sent as bearer token. @default none is needed (local servers) */
  readonly apiKey?: string | undefined
  /** Such as `http://127.0.0.1:8080/v1`. @default OpenAI's own */
  readonly baseURL?: string | undefined
}

/** A model behind an OpenAI-compatible chat completions API. */
export function openAIModel({ apiKey, baseURL }: OpenAIOptions): Model {
  const client = new OpenAI({
    // The package refuses to start without a key, local servers ignore it.
    apiKey: apiKey ?? 'none',
    baseURL: baseURL ?? null,
    // Temporal retries; two layers of retries multiply.
    maxRetries: 0,
  })
  const redact = redactor([apiKey, baseURL])
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

/** The message of an error may echo the request: no key and no password leaves this file. */
function toModelError(error: unknown, redact: (text: string) => string): unknown {
  if (error instanceof ModelError || error instanceof APIUserAbortError) return error
  const text = redact(shorten(error instanceof Error ? describe(error) : String(error), 500))
  if (error instanceof APIError && error.status !== undefined) {
    const { status, code, headers } = error
    return new ModelError(text, { status, code: code ?? null, headers: headers ?? new Headers() })
  }
  // A reset in the body is a bare TypeError, cut JSON a bare SyntaxError: the network's doing as well.
  return new ModelError(text, { status: null, code: 'connection' })
}

function describe(error: Error): string {
  const cause = error instanceof APIConnectionError ? error.cause : undefined
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message
}
