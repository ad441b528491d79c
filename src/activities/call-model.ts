import { Context } from '@temporalio/activity'
import { buildPrompt } from '../agent/prompt.js'
import type { AgentActivities, CallModelInput } from '../contract/activities.js'
import type { Agent } from '../definition/define-agent.js'
import type { Model } from '../models/model.js'
import { modelFailure } from './failures.js'
import { beating, throwIfAborted } from './heartbeat.js'
import type { Conversation, PromptCache } from './prompt-cache.js'
import { readPrompt } from './read-prompt.js'
import { readReply } from './read-reply.js'
import { runKey } from './run-key.js'

/** What `callModel` is made of. */
export interface CallModelDependencies {
  readonly agents: ReadonlyMap<string, Agent>
  readonly model: Model
  readonly cache: PromptCache
  /** Aborted when the worker begins to shut down. */
  readonly draining: AbortSignal
}

/** The activity that asks the model: one request an attempt, retried by Temporal alone. */
export function createCallModel(deps: CallModelDependencies): AgentActivities['callModel'] {
  return async (input) => {
    const context = Context.current()
    try {
      return await beating(context, () => callModel(input, context, deps))
    } catch (error) {
      throwIfAborted(context)
      throw error
    }
  }
}

async function callModel(
  input: CallModelInput,
  context: Context,
  { agents, model, cache, draining }: CallModelDependencies,
) {
  const run = runKey(context.info)
  const { manifest, messages } =
    cache.get(run, input) ?? remember(await readPrompt(context, input, draining))
  const prompt = buildPrompt(manifest, messages, input.forced === true)
  const raw = await model.complete(prompt, context.cancellationSignal).catch((error: unknown) => {
    throwIfAborted(context)
    throw modelFailure(error)
  })
  const reply = await readReply(raw, manifest, agents.get(manifest.agent)?.tools ?? [])
  cache.putReply(run, input, reply)
  return reply

  function remember(conversation: Conversation): Conversation {
    cache.begin(run, input.turn, conversation, input.step)
    return conversation
  }
}
