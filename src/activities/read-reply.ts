import { z } from 'zod'
import { utf8Length } from '../agent/conversation.js'
import { ASK_USER_TOOL } from '../contract/ask-user.js'
import type { JsonObject } from '../contract/json.js'
import type { Manifest, ToolManifest } from '../contract/manifest.js'
import type { ToolCall } from '../contract/messages.js'
import { errorText } from '../contract/observation.js'
import { READ_MORE_TOOL } from '../contract/read-more.js'
import type { ModelReply } from '../contract/reply.js'
import { shorten } from '../contract/text.js'
import type { Tool } from '../definition/define-tool.js'
import type { RawCall, RawReply } from '../models/model.js'
import { approvalOf } from './approval.js'
import { callHash } from './idempotency-key.js'
import { readArguments } from './read-arguments.js'
import { textCall } from './text-call.js'

/** What the worker knows beside the manifest. */
export interface CallReading {
  readonly tools: readonly Tool[]
  /** Who is asking. */
  readonly context: JsonObject | null
}

/** Calls of one reply at most; a model that asks for more is out of control, and is not told of the rest. */
const MAX_CALLS = 128

/** A reply over Temporal's 2 MB would be a failure that is retried, and paid, again and again. */
const MAX_TEXT_CHARS = 300_000
/** Bytes of JSON that the text may have, and the arguments of all calls of a reply together. */
const MAX_JSON_BYTES = 900_000
/** Characters of the list of tools in an observation. */
const MAX_NAMES_CHARS = 1_000

/**
 * Reads the calls of a reply: known tool, arguments that fit. A call that must not run keeps its place
 * and carries the observation that answers it.
 */
export async function readReply(
  raw: RawReply,
  manifest: Manifest,
  worker: CallReading,
): Promise<ModelReply> {
  const calls = await Promise.all(
    raw.calls
      .slice(0, MAX_CALLS)
      .map((call) => (raw.finish === 'length' ? cutCall(call) : readCall(call, manifest, worker))),
  )
  const reply: ModelReply = {
    text: fitting(raw.text.toWellFormed()),
    calls: withinSize(calls),
    finish: raw.finish,
    tokens: raw.tokens,
    ...(raw.adapted === undefined ? {} : { adapted: raw.adapted }),
  }
  return manifest.parseTextToolCalls ? await withTextCall(reply, manifest, worker) : reply
}

/** A reply that is nothing but a call of a known tool whose arguments fit, as that call. */
async function withTextCall(
  reply: ModelReply,
  manifest: Manifest,
  worker: CallReading,
): Promise<ModelReply> {
  const raw = reply.calls.length === 0 && reply.finish === 'stop' ? textCall(reply.text) : null
  const call = raw === null ? null : await readCall(raw, manifest, worker)
  return call === null || call.problem !== undefined ? reply : { ...reply, text: '', calls: [call] }
}

/** Built-in tools, read like any other. */
const BUILT_IN = new Map<ToolManifest, z.ZodType>([
  [READ_MORE_TOOL, z.object({ id: z.string(), page: z.int().nullish() })],
  [ASK_USER_TOOL, z.object({ question: z.string().trim().min(1) })],
])

async function readCall(
  { name, arguments: raw }: RawCall,
  manifest: Manifest,
  { tools, context }: CallReading,
): Promise<ToolCall> {
  // Offered in this turn, and still there in this worker.
  const offered = manifest.tools.find((tool) => tool.name === name)
  const builtIn = offered && BUILT_IN.get(offered)
  if (builtIn !== undefined) return checkedCall({ name, arguments: raw }, builtIn)
  const tool = offered ? tools.find((known) => known.name === name) : undefined
  if (tool === undefined) {
    const there = manifest.tools.filter((one) => tools.some((known) => known.name === one.name))
    const names = shorten(there.map((known) => known.name).join(', '), MAX_NAMES_CHARS)
    const message = `There is no such tool. ${names === '' ? 'There are none.' : `The tools are: ${names}.`}`
    return {
      name: legalName(name),
      args: {},
      problem: errorText({ error_type: 'unknown_tool', message, retryable: false }),
    }
  }
  const { args, ...call } = await checkedCall({ name, arguments: raw }, tool.input)
  if (call.problem !== undefined) return { ...call, args }
  const approval = await approvalOf(tool, offered, { args, context })
  return {
    ...call,
    args,
    ...(approval === null ? {} : { approval }),
    ...(offered?.remote === undefined ? {} : { hash: callHash(name, args) }),
  }
}

async function checkedCall({ name, arguments: raw }: RawCall, input: z.ZodType): Promise<ToolCall> {
  const read = await readArguments(raw, input)
  if (read.ok) return { name, args: read.args }
  const problem = errorText({
    error_type: 'invalid_arguments',
    message: read.message,
    retryable: false,
  })
  return { name, args: read.args, problem }
}

/** As much of a text as Temporal takes; JSON writes a control character with six. */
function fitting(text: string): string {
  const short = shorten(text, MAX_TEXT_CHARS)
  const bytes = utf8Length(JSON.stringify(short))
  if (bytes <= MAX_JSON_BYTES) return short
  // By the average: where the dear characters stand together it takes another round.
  return fitting(shorten(short, Math.floor((short.length * MAX_JSON_BYTES) / bytes) - 1))
}

/** The calls whose arguments fit together; the others are not run. */
function withinSize(calls: readonly ToolCall[]): ToolCall[] {
  let bytes = 0
  return calls.map((call) => {
    bytes += utf8Length(JSON.stringify(call.args))
    if (bytes <= MAX_JSON_BYTES) return call
    const message = `The arguments are over ${MAX_JSON_BYTES} bytes. It was not run. Call again with less text.`
    const problem = errorText({ error_type: 'invalid_arguments', message, retryable: false })
    return { name: call.name, args: {}, problem }
  })
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
