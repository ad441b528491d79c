import { assistantMessage } from '../agent/conversation.js'
import { buildPrompt, offeredTools } from '../agent/prompt.js'
import type { AgentActivities } from '../contract/activities.js'
import { messageTokens } from '../contract/tokens.js'
import { type ModelDependencies, modelAttempt } from './model-attempt.js'
import { readReply } from './read-reply.js'

/** The activity that asks the model: one request an attempt, retried by Temporal alone. */
export function createCallModel(deps: ModelDependencies): AgentActivities['callModel'] {
  return (input) =>
    modelAttempt(input, deps, async ({ manifest, messages, context, run, ask }) => {
      const model = input.model ?? manifest.model
      const raw = await ask({ ...buildPrompt(manifest, messages, input), model })
      const offered = { ...manifest, tools: offeredTools(manifest, input.readMore) }
      const tools = deps.agents.get(manifest.agent)?.tools ?? []
      const read = await readReply(raw, offered, { tools, context })
      const message = assistantMessage(read, input.turn, input.step)
      const reply = { ...read, size: messageTokens(message, await deps.tokenizer()) }
      deps.cache.putReply(run, input, reply)
      return reply
    })
}
