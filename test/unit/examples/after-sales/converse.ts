import { afterSales } from '../../../../examples/after-sales/agents.js'
import { standInReply } from '../../../../examples/after-sales/stand-in-model.js'
import { errorText } from '../../../../src/contract/observation.js'
import { type JsonObject, ToolError } from '../../../../src/index.js'
import type { AnswerCall, ChatMessage, ChatRequest } from '../../../../src/testing/index.js'
import type { ShopUnderTest } from './shop-under-test.js'

/** How a turn went, and the conversation after it. */
export interface Talk {
  readonly answer: string
  /** Model calls. */
  readonly steps: number
  readonly calls: readonly { readonly step: number; readonly name: string }[]
  readonly messages: readonly ChatMessage[]
}

/** What the user says. */
export function user(content: string): ChatMessage {
  return { role: 'user', content }
}

/** A call and what came back, as two messages. */
export function observation(name: string, args: JsonObject, result: JsonObject): ChatMessage[] {
  const id = `call_${name}`
  const call = {
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  } as const
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: JSON.stringify(result) },
  ]
}

const TOOLS: NonNullable<ChatRequest['tools']> = afterSales.tools.map(({ manifest }) => ({
  type: 'function',
  function: { name: manifest.name, parameters: manifest.parameters },
}))

/**
 * The agent's loop without Temporal: asks the stand-in, runs its calls, and again, until it answers.
 * Without a shop the request offers no tools. `broken`: every write fails.
 */
export async function converse(
  shop: ShopUnderTest | null,
  customerId: string,
  talk: { readonly start: readonly ChatMessage[]; readonly broken?: boolean },
): Promise<Talk> {
  const messages = [...talk.start]
  const calls: { step: number; name: string }[] = []
  for (let step = 1; step <= 20; step += 1) {
    const reply = standInReply({ model: 'm', messages, ...(shop === null ? {} : { tools: TOOLS }) })
    if (shop === null || reply.calls.length === 0) {
      const answer = reply.text ?? ''
      messages.push({ role: 'assistant', content: answer })
      return { answer, steps: step, calls, messages }
    }
    calls.push(...reply.calls.map(({ name }) => ({ step, name })))
    messages.push(...(await run(shop, reply.calls, `${messages.length}`, { customerId, ...talk })))
  }
  throw new Error('the stand-in does not come to an end')
}

async function run(
  shop: ShopUnderTest,
  calls: readonly AnswerCall[],
  place: string,
  { customerId, broken = false }: { customerId: string; broken?: boolean },
): Promise<ChatMessage[]> {
  const ids = calls.map((_, index) => `call_${place}_${index}`)
  const results = await Promise.all(
    calls.map(({ name, args }, index) =>
      broken && (name === 'issue_refund' || name === 'send_email')
        ? errorText({ error_type: 'tool_error', message: 'Down for now.', retryable: true })
        : shop
            .call(name, args, { customerId, key: `${customerId}/${performance.now()}/${index}` })
            .then((value) => JSON.stringify(value), toolError),
    ),
  )
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: calls.map(({ name, args }, index) => ({
        id: ids[index] ?? '',
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      })),
    },
    ...results.map((content, index): ChatMessage => {
      return { role: 'tool', tool_call_id: ids[index] ?? '', content }
    }),
  ]
}

function toolError(error: unknown): string {
  if (!(error instanceof ToolError)) throw error
  const { message, retryable } = error
  return errorText({ error_type: 'tool_error', message, retryable })
}
