import { z } from 'zod'
import { type Agent, type AgentOptions, defineAgent, defineTool } from '../../../src/index.js'
import type { Scenario } from '../scenario.js'
import { converse } from './drive.js'
import { CONVERSATION, NEEDED_FACTS, OLD_FACT } from './script.js'

type Memory = NonNullable<AgentOptions['memory']>

const POLICIES: readonly (readonly [string, Memory])[] = [
  ["`'none'`", 'none'],
  ['default', {}],
  ['summary alone', { turns: false }],
  ['scratchpad alone', { summary: false }],
  ['`maxTokens: 800`', { summary: false, maxTokens: 800 }],
]

/** What each way to keep a conversation short costs, and what it forgets. */
export const memoryPolicies: Scenario = {
  name: 'memory-policies',
  title: `Memory policies: a conversation of ${CONVERSATION.length} turns with tools`,
  note: 'The loop itself with a scripted model: no server is needed to count. Prompts are counted by o200k: instructions, tools and messages; those of summaries count too. The stand-in that writes summaries keeps a few words of each answer. The last question needs three facts, told in the four turns before it; the old fact is of the third turn, and only a summary that took it in goes back further than ten. `maxTokens: 800` without summaries, with the scratchpad.',
  figures: [
    { name: 'total', label: 'all prompts together', unit: 'tokens' },
    { name: 'last', label: 'the last prompt', unit: 'tokens' },
    { name: 'summaries', label: 'of all: read by summaries', unit: 'tokens', hasRatio: false },
    { name: 'needed', label: 'needed facts in the last prompt, of 3', unit: '', hasRatio: false },
    { name: 'old', label: 'the old fact in the last prompt, of 1', unit: '', hasRatio: false },
  ],
  rounds: { full: 1, quick: 1 },
  budget: { full: 10, quick: 10 },
  subjects: async () =>
    POLICIES.map(([name, memory]) => ({
      name,
      measure: async () => {
        const { lastText, ...tokens } = await converse(assistant(memory), CONVERSATION)
        return {
          ...tokens,
          needed: NEEDED_FACTS.filter((fact) => lastText.includes(fact)).length,
          old: lastText.includes(OLD_FACT) ? 1 : 0,
        }
      },
    })),
}

function assistant(memory: Memory): Agent {
  const tool = (name: string, field: string, description: string) =>
    defineTool({
      name,
      description,
      input: z.object({ [field]: z.string() }),
      annotations: { readOnlyHint: true },
      execute: () => '',
    })
  return defineAgent({
    name: 'assistant',
    instructions:
      'You help the customers of a shop. Say only what your tools or the customer told you.',
    model: 'scripted',
    limits: { maxSteps: 20 },
    memory,
    tools: [
      tool('lookup_order', 'order_id', 'Use when the customer asks about one order.'),
      tool('search_articles', 'query', 'Use for questions about articles, returns and terms.'),
    ],
  })
}
