import { Agent } from '@openai/agents-core'
import { activityAsTool, TemporalOpenAIRunner } from '@temporalio/openai-agents/workflow'
import { INSTRUCTIONS, TOOL_DESCRIPTION } from '../../workload.js'
import type { read_page } from './activities.js'

/** As the plugin's guide writes it: the agent in the workflow, its tool an activity. */
export async function openaiAgents(question: string): Promise<string> {
  const agent = new Agent({
    name: 'reader',
    instructions: INSTRUCTIONS,
    model: 'zero-latency',
    tools: [
      activityAsTool<typeof read_page>({
        name: 'read_page',
        description: TOOL_DESCRIPTION,
        parameters: {
          type: 'object',
          properties: { page: { type: 'integer' } },
          required: ['page'],
          additionalProperties: false,
        },
      }),
    ],
  })
  const result = await new TemporalOpenAIRunner().run(agent, question, { maxTurns: 100_000 })
  return result.finalOutput ?? ''
}
