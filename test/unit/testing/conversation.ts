import type { ChatMessage, ChatToolCall } from '../../../src/testing/index.js'

export const user: ChatMessage = { role: 'user', content: 'Where is my order?' }

export function call(id: string, name = 'lookup_order', args = '{"id":"A1"}'): ChatToolCall {
  return { id, type: 'function', function: { name, arguments: args } }
}

export function calls(...list: readonly ChatToolCall[]): ChatMessage {
  return { role: 'assistant', content: null, tool_calls: list }
}

export function answer(id: string): ChatMessage {
  return { role: 'tool', tool_call_id: id, content: 'shipped' }
}

export function tool(name: string): object {
  return {
    type: 'function',
    function: {
      name,
      description: 'Looks an order up.',
      parameters: { type: 'object', properties: { id: { type: 'string' } } },
    },
  }
}

export function request(...messages: readonly unknown[]): object {
  return { model: 'test-model', messages }
}
