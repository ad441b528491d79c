import type { Agent } from '../definition/define-agent.js'
import type { Model } from '../models/model.js'
import { resolveModels } from '../worker/models.js'
import type { Subject } from './subject.js'

/** A model that a worker would ask, and one of the agents that it would ask for. */
export interface NamedModel {
  /** As the API is asked for it. */
  readonly name: string
  readonly model: Model
  readonly agent: Agent | undefined
}

/**
 * The models of all agents, fallbacks included, each once; without agents, that of OPENAI_MODEL. Found as a
 * worker finds them.
 *
 * @throws MissingModelError when there is none to ask
 */
export function namedModels({
  agents = [],
  model: config,
}: Pick<Subject, 'agents' | 'model'>): NamedModel[] {
  const { nameOf, modelOf } = resolveModels({ agents, models: {}, model: undefined, config })
  const named = new Map<string, NamedModel>()
  for (const agent of agents) {
    for (const own of [agent.manifest.model, ...(agent.manifest.fallbackModels ?? [])]) {
      const name = nameOf(own)
      if (!named.has(name)) named.set(name, { name, model: modelOf(name), agent })
    }
  }
  if (named.size > 0 || config.model === undefined) return [...named.values()]
  return [{ name: config.model, model: modelOf(config.model), agent: undefined }]
}
