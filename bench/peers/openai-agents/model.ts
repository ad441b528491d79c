import { type AgentInputItem, type Model, type ModelProvider, Usage } from '@openai/agents-core'
import { nextMove } from '../../workload.js'

const USAGE = new Usage({ requests: 1, inputTokens: 1_000, outputTokens: 10, totalTokens: 1_010 })

const model: Model = {
  getResponse: async ({ input }) => {
    const items = typeof input === 'string' ? [] : input
    const question = typeof input === 'string' ? input : textOf(items[0])
    const observations = items.filter(({ type }) => type === 'function_call_result').map(textOf)
    const move = nextMove(question, observations)
    if ('answer' in move) {
      return {
        usage: USAGE,
        output: [
          {
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: move.answer }],
          },
        ],
      }
    }
    return {
      usage: USAGE,
      output: [
        {
          type: 'function_call',
          callId: `call_${move.page}`,
          name: 'read_page',
          arguments: JSON.stringify(move),
        },
      ],
    }
  },
  getStreamedResponse: () => {
    throw new Error('nothing is streamed here')
  },
}

/** A model that takes no time: in this process, without HTTP. */
export const zeroLatencyProvider: ModelProvider = { getModel: () => model }

/** The text of a user message or of a tool's result, in any of their forms. */
function textOf(item: AgentInputItem | undefined): string {
  if (item === undefined) return ''
  const content: unknown =
    item.type === 'function_call_result' ? item.output : 'content' in item ? item.content : ''
  if (typeof content === 'string') return content
  return [content]
    .flat()
    .map((part) => (part as { text?: string }).text ?? '')
    .join('')
}
