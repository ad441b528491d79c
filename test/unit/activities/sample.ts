import { z } from 'zod'
import { createTokenizer } from '../../../src/activities/tokenizer.js'
import { LOOP_VERSION } from '../../../src/contract/loop-version.js'
import type { Manifest } from '../../../src/contract/manifest.js'
import type { ModelReply } from '../../../src/contract/reply.js'
import { type Agent, type AgentOptions, defineAgent } from '../../../src/definition/define-agent.js'
import { defineTool, type Tool } from '../../../src/definition/define-tool.js'

/** A tool that looks something up, in name only. */
export const lookup = defineTool({
  name: 'lookup',
  description: 'Use to look an order up.',
  input: z.object({ id: z.string(), limit: z.number().optional() }),
  annotations: { readOnlyHint: true },
  execute: ({ id }) => `found ${id}`,
})

/** A tool of some name that takes anything. */
export function toolNamed(name: string): Tool {
  return defineTool({
    name,
    description: 'Use always.',
    input: z.looseObject({}),
    execute: () => name,
  })
}

export function agentWith(options: Partial<AgentOptions<z.ZodType>> = {}): Agent {
  return defineAgent({
    name: 'support',
    instructions: 'Help.',
    model: 'test-model',
    tools: [lookup],
    ...options,
  }) as Agent
}

export const WORKER = { heartbeatTimeoutMs: 10_000, searchAttributes: ['PerdureAgent'] } as const

export function manifestOf(agent: Agent = agentWith()): Manifest {
  return {
    ...agent.manifest,
    instructions: agent.instructionsFor(null),
    ...WORKER,
    loopVersion: LOOP_VERSION,
  }
}

/** Counts tokens without loading any tables. */
export const NO_TABLES = createTokenizer('estimate')

/** A reply that calls `lookup` once for each id. */
export function lookupReply(...ids: readonly string[]): ModelReply {
  return {
    text: '',
    calls: ids.map((id) => ({ name: 'lookup', args: { id } })),
    finish: 'stop',
    tokens: null,
  }
}
