import { z } from 'zod'
import { type Agent, type AgentOptions, defineAgent, defineTool } from '../../src/index.js'

/** A read-only tool that answers with what it was asked. */
export const lookup = defineTool({
  name: 'lookup',
  description: 'Use when the test asks for something by its id.',
  input: z.object({ id: z.string() }),
  annotations: { readOnlyHint: true },
  execute: ({ id }) => ({ id, found: true }),
})

/** An agent with one read-only tool, and whatever a test changes of it. */
export function testAgent(options: Partial<AgentOptions<z.ZodType>> = {}): Agent {
  const agent = defineAgent({
    name: 'test-agent',
    instructions: 'You are under test.',
    model: 'test-model',
    tools: [lookup],
    ...options,
  })
  // Whatever a test starts it with.
  return agent as Agent
}
