import type { Prompt } from '../src/worker.js'

/** Tokens that a request has around each message, and around each call (OpenAI's format). */
const MESSAGE_TOKENS = 4
const CALL_TOKENS = 8

/** Counts the tokens of a text. */
type CountTokens = (text: string) => number

/** Texts whose tokens are remembered: prompts repeat most of what was in the one before. */
const MAX_KNOWN = 500
const known = new Map<string, number>()

/** o200k, loaded when it is first asked for: a worker that does not count stays as small as it is. */
export async function loadCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  return (text) => {
    const tokens = known.get(text) ?? countTokens(text)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(text, tokens)
    return tokens
  }
}

/** What a provider would count for a prompt: instructions, tools, and all messages. */
export function promptTokens(
  { instructions, tools, messages }: Prompt,
  count: CountTokens,
): number {
  const schemas = tools.map(({ name, description, parameters }) => [name, description, parameters])
  const sizes = messages.map((message) => {
    const own = MESSAGE_TOKENS + count(message.text)
    if (message.role !== 'assistant') return own
    return message.calls.reduce(
      (sum, { name, args }) => sum + CALL_TOKENS + count(name + JSON.stringify(args)),
      own,
    )
  })
  const definition = count(instructions) + count(JSON.stringify(schemas))
  return sizes.reduce((sum, size) => sum + size, definition)
}
