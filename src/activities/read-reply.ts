import type { Manifest } from '../contract/manifest.js'
import type { ToolCall } from '../contract/messages.js'
import { errorText } from '../contract/observation.js'
import type { ModelReply } from '../contract/reply.js'
import type { Tool } from '../definition/define-tool.js'
import type { RawCall, RawReply } from '../models/model.js'
import { readArguments } from './read-arguments.js'

/** Calls of one reply at most; a model that asks for more is out of control, and is not told of the rest. */
const MAX_CALLS = 128

/**
 * Reads the calls of a reply: known tool, arguments that fit. A call that must not run keeps its place
 * and carries the observation that answers it.
 */
export async function readReply(
  raw: RawReply,
  manifest: Manifest,
  tools: readonly Tool[],
): Promise<ModelReply> {
  const calls = await Promise.all(
    raw.calls
      .slice(0, MAX_CALLS)
      .map((call) => (raw.finish === 'length' ? cutCall(call) : readCall(call, manifest, tools))),
  )
  return { text: raw.text.toWellFormed(), calls, finish: raw.finish, tokens: raw.tokens }
}

async function readCall(
  { name, arguments: raw }: RawCall,
  manifest: Manifest,
  tools: readonly Tool[],
): Promise<ToolCall> {
  // Offered in this turn, and still there in this worker.
  const offered = manifest.tools.some((tool) => tool.name === name)
  const tool = offered ? tools.find((known) => known.name === name) : undefined
  if (tool === undefined) {
    const names = manifest.tools.map((known) => known.name).join(', ')
    const message = `There is no such tool. The tools are: ${names}.`
    return {
      name: legalName(name),
      args: {},
      problem: errorText({ error_type: 'unknown_tool', message, retryable: false }),
    }
  }
  const read = await readArguments(raw, tool.input)
  if (read.ok) return { name, args: read.args }
  const problem = errorText({
    error_type: 'invalid_arguments',
    message: read.message,
    retryable: false,
  })
  return { name, args: read.args, problem }
}

/** The end of a cut reply is missing, so nobody knows what its calls were to be. */
function cutCall({ name }: RawCall): ToolCall {
  const message =
    'Your reply was cut at its token limit before the call was complete. It was not run. Call again with less text.'
  const problem = errorText({ error_type: 'not_run', message, retryable: true })
  return { name: legalName(name), args: {}, problem }
}

/** A name that every server takes back in the conversation. */
function legalName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed'
}
