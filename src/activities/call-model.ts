import { Context } from '@temporalio/activity'
import { buildPrompt } from '../agent/prompt.js'
import type { AgentActivities, CallModelInput } from '../contract/activities.js'
import type { ModelReply } from '../contract/reply.js'
import { shorten } from '../contract/text.js'
import type { Agent } from '../definition/define-agent.js'
import { checkReply } from '../models/check-reply.js'
import type { Model, RawReply } from '../models/model.js'
import { ModelError } from '../models/model-error.js'
import { redactor } from '../models/redact.js'
import { modelFailure, outcomeOf } from './failures.js'
import { beating, throwIfAborted } from './heartbeat.js'
import { type PatienceClock, startPatience, waitedSoFar } from './patience.js'
import type { Conversation, PromptCache } from './prompt-cache.js'
import { readPrompt } from './read-prompt.js'
import { readReply } from './read-reply.js'
import { runKey } from './run-key.js'

/** What `callModel` is made of. */
export interface CallModelDependencies {
  readonly agents: ReadonlyMap<string, Agent>
  /** The model of a name. */
  readonly modelOf: (name: string) => Model
  readonly cache: PromptCache
  /** Aborted when the worker begins to shut down. */
  readonly draining: AbortSignal
}

/** Characters of what a user's own model throws: a message of megabytes would hang the attempt. */
const MAX_CHARS = 500
/** Characters of it that are looked at. */
const MAX_READ_CHARS = 5_000
/** Time that all attempts at one model call may take, for manifests that do not say. */
const DEFAULT_TOTAL_MS = 600_000

/** The activity that asks the model: one request an attempt, retried by Temporal alone. */
export function createCallModel(deps: CallModelDependencies): AgentActivities['callModel'] {
  return async (input) => {
    const context = Context.current()
    const waited = waitedSoFar(context)
    // At once: an attempt may end before its first beat, and the next one must know.
    if (waited !== undefined) context.heartbeat(waited)
    try {
      return await beating(
        context,
        () => waited,
        async () => {
          const conversation = await findConversation(input, context, deps)
          const totalMs = conversation.manifest.modelTotalMs ?? DEFAULT_TOTAL_MS
          const clock = startPatience(context, totalMs, waited)
          return await callModel(input, conversation, { context, clock, deps })
        },
      )
    } catch (error) {
      throwIfAborted(context, true)
      throw error
    }
  }
}

/** From this worker's cache, else from the workflow. */
async function findConversation(
  input: CallModelInput,
  context: Context,
  { cache, draining }: CallModelDependencies,
): Promise<Conversation> {
  const run = runKey(context.info)
  const known = cache.get(run, input)
  if (known !== null) return known
  const conversation = await readPrompt(context, input, draining)
  cache.begin(run, input.turn, conversation, input.step)
  return conversation
}

interface Attempt {
  readonly context: Context
  readonly clock: PatienceClock
  readonly deps: CallModelDependencies
}

async function callModel(
  input: CallModelInput,
  { manifest, messages }: Conversation,
  { context, clock, deps }: Attempt,
): Promise<ModelReply> {
  const model = input.model ?? manifest.model
  const prompt = { ...buildPrompt(manifest, messages, input.forced === true), model }
  let raw: RawReply
  try {
    raw = checkReply(await deps.modelOf(model).complete(prompt, context.cancellationSignal))
  } catch (error) {
    throwIfAborted(context, true)
    return endedReply(error, clock)
  }
  const reply = await readReply(raw, manifest, deps.agents.get(manifest.agent)?.tools ?? [])
  deps.cache.putReply(runKey(context.info), input, reply)
  return reply
}

/** The reply that says why there is none; throws where another attempt, or another model, may help. */
function endedReply(error: unknown, clock: PatienceClock): ModelReply {
  // A model of the user's own may throw anything: that is an outage like any other.
  const known =
    error instanceof ModelError
      ? new ModelError(redact(error.message.slice(0, MAX_READ_CHARS)), error)
      : new ModelError(describe(error), { status: null })
  const outcome = outcomeOf(known)
  if (outcome === 'retried' || outcome === 'final') throw modelFailure(known, clock.left())
  return { text: '', calls: [], finish: outcome, tokens: null }
}

function describe(error: unknown): string {
  try {
    const told = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return shorten(redact(told.slice(0, MAX_READ_CHARS)), MAX_CHARS)
  } catch {
    return 'The model threw what cannot be shown.'
  }
}

/** Knows no key, only what looks like one: the models of perdure take theirs out themselves. */
const redact = redactor({ keys: [], urls: [] })
