import { buildPrompt } from '../agent/prompt.js'
import type { AgentActivities } from '../contract/activities.js'
import { type ModelDependencies, modelAttempt } from './model-attempt.js'
import { readReply } from './read-reply.js'

/** The activity that asks the model: one request an attempt, retried by Temporal alone. */
export function createCallModel(deps: ModelDependencies): AgentActivities['callModel'] {
  return (input) =>
    modelAttempt(input, deps, async ({ manifest, messages, run, ask }) => {
      const model = input.model ?? manifest.model
      const raw = await ask({ ...buildPrompt(manifest, messages, input), model })
      const reply = await readReply(raw, manifest, deps.agents.get(manifest.agent)?.tools ?? [])
      deps.cache.putReply(run, input, reply)
      return reply
    })
}
