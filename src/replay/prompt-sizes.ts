import { offeredTools } from '../agent/prompt.js'
import { visitCalls } from '../agent/rebuild-calls.js'
import { placeKey, type RunRecord } from '../agent/run-record.js'
import type { Message } from '../contract/messages.js'

/** How much a model was asked. */
export interface PromptSize {
  /** Messages of the conversation, the system message aside. */
  readonly messages: number
  /** Characters of instructions, tools and messages as JSON. */
  readonly chars: number
}

/** The size of each step's last prompt, by its place `turn.step`. */
export async function promptSizes(record: RunRecord): Promise<ReadonlyMap<string, PromptSize>> {
  const sizes = new Map<string, PromptSize>()
  // A message goes with every later prompt.
  const known = new WeakMap<Message, number>()
  const lengthOf = (message: Message) => {
    const length = known.get(message) ?? JSON.stringify(message).length
    known.set(message, length)
    return length
  }
  const definitions = new WeakMap<object, number>()
  await visitCalls(record, ({ state: { manifest, messages }, input }) => {
    const whole = definitions.get(manifest) ?? JSON.stringify(offeredTools(manifest)).length
    definitions.set(manifest, whole)
    const chars =
      manifest.instructions.length +
      (input.forced ? 0 : whole) +
      messages.reduce((sum, message) => sum + lengthOf(message), 0)
    sizes.set(placeKey(input), { messages: messages.length, chars })
  })
  return sizes
}
