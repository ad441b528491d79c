import { Context } from '@temporalio/activity'
import { buildPrompt } from '../agent/prompt.js'
import type { AgentActivities, CallModelInput } from '../contract/activities.js'
import type { ModelReply } from '../contract/reply.js'
import { shorten } from '../contract/text.js'
import type { Agent } from '../definition/define-agent.js'
import type { Model, RawReply } from '../models/model.js'
import { ModelError } from '../models/model-error.js'
import { modelFailure, outcomeOf } from './failures.js'
import { beating, throwIfAborted } from './heartbeat.js'
import { type PatienceClock, startPatience } from './patience.js'
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
/** Time that all attempts at one model call may take, for manifests that do not say. */
const DEFAULT_TOTAL_MS = 600_000

/** The activity that asks the model: one request an attempt, retried by Temporal alone. */
export function createCallModel(deps: CallModelDependencies): AgentActivities['callModel'] {
  return async (input) => {
    const context = Context.current()
    let clock: PatienceClock | undefined
    try {
      return await beating(
        context,
        () => clock?.details,
        async () => {
          const conversation = await findConversation(input, context, deps)
          clock = startPatience(context, conversation.manifest.modelTotalMs ?? DEFAULT_TOTAL_MS)
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
    raw = await deps.modelOf(model).complete(prompt, context.cancellationSignal)
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
    error instanceof ModelError ? error : new ModelError(describe(error), { status: null })
  const outcome = outcomeOf(known)
  if (outcome === 'retried' || outcome === 'final') throw modelFailure(known, clock.left())
  return { text: '', calls: [], finish: outcome, tokens: null }
}

function describe(error: unknown): string {
  const told = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return shorten(told, MAX_CHARS)
}
