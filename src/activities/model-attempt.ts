import { Context } from '@temporalio/activity'
import type { ConversationReference } from '../contract/activities.js'
import type { Prompt } from '../contract/prompt.js'
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
import { runKey } from './run-key.js'
import type { Tokenizer } from './tokenizer.js'

/** What every activity that asks the model is made of. */
export interface ModelDependencies {
  readonly agents: ReadonlyMap<string, Agent>
  /** The model of a name. */
  readonly modelOf: (name: string) => Model
  readonly cache: PromptCache
  readonly tokenizer: Tokenizer
  /** Aborted when the worker begins to shut down. */
  readonly draining: AbortSignal
}

/** One attempt at a model call: the conversation that it is about, and the way to ask. */
export interface ModelAttempt extends Conversation {
  /** The namespace and run id, as the prompt cache knows them. */
  readonly run: string
  /** One request. A prompt that is too long or filtered is an empty reply with that finish. */
  ask(prompt: Prompt): Promise<RawReply>
}

/** Characters of what a user's own model throws: a message of megabytes would hang the attempt. */
const MAX_CHARS = 500
/** Characters of it that are looked at. */
const MAX_READ_CHARS = 5_000
/** Time that all attempts at one model call may take, for manifests that do not say. */
const DEFAULT_TOTAL_MS = 600_000

/** Runs one attempt of an activity that asks the model, under its heartbeat and its total time. */
export async function modelAttempt<T>(
  reference: ConversationReference,
  deps: ModelDependencies,
  work: (attempt: ModelAttempt) => Promise<T>,
): Promise<T> {
  const context = Context.current()
  const waited = waitedSoFar(context)
  // At once: an attempt may end before its first beat, and the next one must know.
  if (waited !== undefined) context.heartbeat(waited)
  try {
    return await beating(
      context,
      () => waited,
      async () => {
        const conversation = await findConversation(reference, context, deps)
        const totalMs = conversation.manifest.modelTotalMs ?? DEFAULT_TOTAL_MS
        const clock = startPatience(context, totalMs, waited)
        return await work({
          ...conversation,
          run: runKey(context.info),
          ask: (prompt) => ask(deps.modelOf, prompt, { context, clock }),
        })
      },
    )
  } catch (error) {
    throwIfAborted(context, true)
    throw error
  }
}

/** From this worker's cache, else from the workflow. */
async function findConversation(
  reference: ConversationReference,
  context: Context,
  { cache, draining }: ModelDependencies,
): Promise<Conversation> {
  const run = runKey(context.info)
  const known = cache.get(run, reference)
  if (known !== null) return known
  const conversation = await readPrompt(context, reference, draining)
  cache.begin(run, reference.turn, conversation, reference.step)
  return conversation
}

async function ask(
  modelOf: ModelDependencies['modelOf'],
  prompt: Prompt,
  { context, clock }: { readonly context: Context; readonly clock: PatienceClock },
): Promise<RawReply> {
  try {
    return checkReply(await modelOf(prompt.model).complete(prompt, context.cancellationSignal))
  } catch (error) {
    throwIfAborted(context, true)
    return endedReply(error, clock)
  }
}

/** The reply that says why there is none; throws where another attempt, or another model, may help. */
function endedReply(error: unknown, clock: PatienceClock): RawReply {
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
