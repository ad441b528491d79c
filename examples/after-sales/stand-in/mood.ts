import type { ChatRequest } from '../../../src/testing/index.js'
import { textOf } from '../../stand-in/past-calls.js'

/** Words that end a conversation. */
export const CLOSING = /\b(thanks|thank you|goodbye|bye|that is all|that's all)\b/

/** The first mood whose words are in what was said. */
const MOODS: readonly (readonly [strategy: string, words: RegExp])[] = [
  ['angry', /\b(angry|furious|unacceptable|ridiculous|outrageous|scandal|worst|lawyer)\b|!{2,}/],
  ['closing', CLOSING],
  ['waiting', /\b(where|when|wait|waiting|late|not shipped|still|arrive|refund)\b/],
]

/** True for the question which strategy fits: it lists them, and offers no tools. */
export function isStrategyChoice({ messages, tools }: ChatRequest): boolean {
  return tools === undefined && /^- angry: /m.test(messages.map(textOf)[0] ?? '')
}

/** The name of the strategy that fits the newest line of the conversation. */
export function moodOf({ messages }: ChatRequest): string {
  const said = messages.map(textOf).at(-1)?.split('\n').at(-1)?.toLowerCase() ?? ''
  return MOODS.find(([, words]) => words.test(said))?.[0] ?? 'first contact'
}
