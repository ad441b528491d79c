import { environmentVariable, type ModelConfig } from '../config.js'
import { modelNames } from '../contract/manifest.js'
import type { Agent } from '../definition/define-agent.js'
import { DefinitionError } from '../definition/definition-error.js'
import type { Model } from '../models/model.js'
import { ModelError } from '../models/model-error.js'
import { type OpenAIOptions, openAIModel } from '../models/openai.js'
import { MissingModelError } from './missing-model-error.js'

/** An OpenAI-compatible server by what describes it; the key itself stays in the environment. */
export interface OpenAICompatible extends Omit<OpenAIOptions, 'apiKey'> {
  readonly baseURL: string
  /** The environment variable that holds the key. @default none is needed */
  readonly apiKeyEnv?: string | undefined
}

/** Models by the names that agents use for them. */
export type ModelRegistry = Readonly<Record<string, Model | OpenAICompatible>>

/** The models of one worker. */
export interface Models {
  /** The name to ask for where an agent names a model. */
  readonly nameOf: (name: string) => string
  /** **Contract:** throws ModelError for a name that only another worker has. */
  readonly modelOf: (name: string) => Model
}

/** What `runWorker` knows of models. */
export interface ModelSources {
  readonly agents: readonly Agent[]
  readonly models: ModelRegistry
  /** For every name that is not in `models`. */
  readonly model: Model | undefined
  readonly config: ModelConfig
}

/**
 * Describes an OpenAI-compatible server, for the `models` of a worker.
 *
 * `openaiCompatible({ baseURL: 'http://127.0.0.1:8080/v1', apiKeyEnv: 'LOCAL_KEY' })`
 */
export function openaiCompatible(options: OpenAICompatible): OpenAICompatible {
  return options
}

/**
 * Finds the model of each name that the agents use, before any run needs it.
 *
 * @throws MissingModelError when a name has neither an entry nor a default
 * @throws DefinitionError when the key of an entry is not set
 */
export function resolveModels({ agents, models, model, config }: ModelSources): Models {
  const known = new Map(
    Object.entries(models).map(([name, entry]) => [name, toModel(name, entry)] as const),
  )
  const standard = model ?? environmentModel(config)
  const replacement = model === undefined ? config.model : undefined
  const nameOf = (name: string) => (known.has(name) ? name : (replacement ?? name))
  for (const agent of agents) {
    for (const name of modelNames(agent.manifest)) {
      if (!known.has(nameOf(name)) && standard === undefined) {
        throw new MissingModelError(agent.name, name, [...known.keys()])
      }
    }
  }
  return {
    nameOf,
    modelOf: (name) => {
      const found = known.get(name) ?? standard
      if (found !== undefined) return found
      throw new ModelError(`This worker has no model "${name}".`, { status: null })
    },
  }
}

function environmentModel({ apiKey, baseURL }: ModelConfig): Model | undefined {
  if (apiKey === undefined && baseURL === undefined) return undefined
  return openAIModel({ apiKey, baseURL })
}

function toModel(name: string, entry: Model | OpenAICompatible): Model {
  if ('complete' in entry) return entry
  const { apiKeyEnv, ...options } = entry
  const apiKey = apiKeyEnv === undefined ? undefined : environmentVariable(apiKeyEnv)
  if (apiKeyEnv !== undefined && apiKey === undefined) {
    throw new DefinitionError(`models.${name}: the environment variable ${apiKeyEnv} is not set.`)
  }
  return openAIModel({ ...options, apiKey })
}
