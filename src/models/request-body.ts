import type { JsonObject, JsonValue } from '../contract/json.js'
import type { ToolManifest } from '../contract/manifest.js'
import { callId, isSummary, type Message } from '../contract/messages.js'
import type { Prompt } from '../contract/prompt.js'
import { toSimpleSchema } from './simple-schema.js'

/** How the requests to one model differ from OpenAI's. */
export interface Dialect {
  /** False: one JSON document instead of a stream. */
  readonly stream: boolean
  /** `simple`: only type, properties and required of each schema. */
  readonly schema: 'full' | 'simple'
  /** Parameters that this model has refused: renamed or left out. */
  readonly refused: ReadonlySet<string>
}

/** The body of a chat completions request. */
export function requestBody(prompt: Prompt, dialect: Dialect): JsonObject {
  const { model, instructions, messages, settings, tools, parallel } = prompt
  const all: Record<string, JsonValue | undefined> = {
    model,
    messages: [{ role: 'system', content: instructions }, ...joined(messages).map(messageParam)],
    temperature: settings.temperature,
    top_p: settings.topP,
    ...maxTokens(settings.maxTokens, dialect),
    seed: settings.seed,
    stop: settings.stop,
    // Servers refuse empty tools, and what is said of tools without any.
    tools: tools.length === 0 ? undefined : tools.map((tool) => toolParam(tool, dialect)),
    parallel_tool_calls: tools.length === 0 || parallel ? undefined : false,
    // OpenAI's default; some servers take its absence for 'none' (llama-cpp-python).
    tool_choice: tools.length === 0 ? undefined : 'auto',
    ...(dialect.stream && !dialect.refused.has('stream')
      ? { stream: true, stream_options: { include_usage: true } }
      : {}),
  }
  const kept = Object.entries(all).filter(
    (entry): entry is [string, JsonValue] =>
      entry[1] !== undefined && !dialect.refused.has(entry[0]),
  )
  return Object.fromEntries(kept)
}

/** Reasoning models take the limit under its newer name only, most other servers under the older. */
function maxTokens(limit: number | undefined, { refused }: Dialect) {
  return refused.has('max_tokens') ? { max_completion_tokens: limit } : { max_tokens: limit }
}

function toolParam(
  { name, description, parameters, strict }: ToolManifest,
  { schema, refused }: Dialect,
): JsonObject {
  if (schema === 'simple') {
    return {
      type: 'function',
      function: { name, description, parameters: toSimpleSchema(parameters) },
    }
  }
  const strictly = strict && !refused.has('strict') ? { strict: true } : {}
  return { type: 'function', function: { name, description, parameters, ...strictly } }
}

/**
 * A summary as the beginning of the user message that follows it: the templates of some models refuse two
 * in a row.
 */
function joined(messages: readonly Message[]): Message[] {
  return messages.flatMap((message, i): Message[] => {
    const before = messages[i - 1]
    if (isSummary(message) && messages[i + 1]?.role === 'user') return []
    if (message.role !== 'user' || !isSummary(before)) return [message]
    return [{ ...message, text: `${before.text}\n\n${message.text}` }]
  })
}

function messageParam(message: Message): JsonObject {
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
                type: 'function',
                function: { name, arguments: JSON.stringify(args) },
              })),
            }),
      }
  }
}
