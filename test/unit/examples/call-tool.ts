import { type Agent, type JsonObject, ToolError } from '../../../src/index.js'

/** Who calls, and with which key. */
export interface Caller {
  readonly customerId: string
  readonly key?: string
}

/** Calls a tool of the agent as `runTool` does, arguments checked; resolves with the value as JSON. */
export async function callTool(agent: Agent, call: { name: string; args: unknown } & Caller) {
  const tool = agent.tools.find(({ name }) => name === call.name)
  if (tool === undefined) throw new Error(`no tool ${call.name}`)
  const value = await tool.execute(tool.input.parse(call.args), {
    context: tool.context?.parse({ customerId: call.customerId }),
    signal: new AbortController().signal,
    idempotencyKey: call.key ?? 'unused',
    attempt: 1,
    heartbeat: () => {},
    heartbeatDetails: undefined,
  })
  return JSON.parse(JSON.stringify(value)) as JsonObject
}

/** The message that the model reads when the call fails; fails the test for any other error. */
export async function refusal(result: Promise<unknown>): Promise<string> {
  const error = await result.then(
    (value) => new Error(`not refused: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  if (error instanceof ToolError) return error.message
  throw error
}
