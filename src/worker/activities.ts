import type { ArtifactStore } from '../activities/artifact-store.js'
import { createCallModel } from '../activities/call-model.js'
import { createCheckCall } from '../activities/check-call.js'
import { createChooseStrategy } from '../activities/choose-strategy.js'
import { createPrepareTurn } from '../activities/prepare-turn.js'
import { lookUpPrice, type Prices } from '../activities/prices.js'
import { PromptCache } from '../activities/prompt-cache.js'
import { createReadArtifact } from '../activities/read-artifact.js'
import { createToolActivity } from '../activities/run-tool.js'
import { createSummarize } from '../activities/summarize.js'
import { createTokenizer, type TokenizerName } from '../activities/tokenizer.js'
import { type Manifest, modelNames } from '../contract/manifest.js'
import { READ_MORE } from '../contract/read-more.js'
import type { Agent } from '../definition/define-agent.js'
import type { Tool } from '../definition/define-tool.js'
import { DefinitionError } from '../definition/definition-error.js'
import type { Models } from './models.js'

/** What the activities of one worker are made of. */
export interface ActivityDependencies {
  readonly agents: readonly Agent[]
  readonly models: Models
  readonly worker: Pick<Manifest, 'heartbeatTimeoutMs' | 'searchAttributes'>
  /** How tokens are counted. @default 'o200k' */
  readonly tokenizer?: TokenizerName | undefined
  /** Keeps what was cut from observations and is too large for a run's own state. */
  readonly artifacts?: ArtifactStore | undefined
  /** What models cost, by the names under which this worker has them. */
  readonly prices?: Prices | undefined
  /** Aborted when the worker begins to shut down. */
  readonly draining: AbortSignal
}

/**
 * All activities of a worker by their type.
 *
 * @throws DefinitionError when two agents, or two different tools, would answer to one name
 */
export function createActivities(deps: ActivityDependencies): Record<string, unknown> {
  const { models, worker, prices, draining } = deps
  const agents = byName(deps.agents)
  checkPrices(deps)
  const cache = new PromptCache()
  // Object.fromEntries, so that a tool named __proto__ is an entry like any other.
  const tokenizer = createTokenizer(deps.tokenizer ?? 'o200k')
  const asking = { agents, modelOf: models.modelOf, cache, tokenizer, draining }
  return Object.fromEntries<unknown>([
    [
      'prepareTurn',
      createPrepareTurn({ agents, cache, tokenizer, worker, prices, modelName: models.nameOf }),
    ],
    ['callModel', createCallModel(asking)],
    ['checkCall', createCheckCall(agents)],
    ['chooseStrategy', createChooseStrategy(asking)],
    ['summarize', createSummarize(asking)],
    [READ_MORE, createReadArtifact(deps.artifacts)],
    ...[...toolsByType(deps.agents)].map(
      ([type, tool]) =>
        [type, createToolActivity(tool, { cache, tokenizer, artifacts: deps.artifacts })] as const,
    ),
  ])
}

/** A budget that nobody can keep is found before any run needs it. */
function checkPrices({ agents, models, prices }: ActivityDependencies): void {
  for (const { name, manifest } of agents) {
    for (const model of modelNames(manifest).map(models.nameOf)) {
      const price = lookUpPrice(prices, model)
      if (price !== undefined || manifest.limits.maxCostUsd === undefined) continue
      throw new DefinitionError(
        `agent "${name}": limits.maxCostUsd needs the price of "${model}": add it to the worker's prices.`,
      )
    }
  }
}

function byName(agents: readonly Agent[]): Map<string, Agent> {
  const map = new Map<string, Agent>()
  for (const agent of agents) {
    const twin = map.get(agent.name)
    if (twin !== undefined && twin !== agent) {
      throw new DefinitionError(`Two different agents are named "${agent.name}": rename one.`)
    }
    map.set(agent.name, agent)
  }
  return map
}

function toolsByType(agents: readonly Agent[]): Map<string, Tool> {
  const owners = new Map<string, { readonly tool: Tool; readonly agent: Agent }>()
  for (const agent of agents) {
    for (const tool of agent.tools) {
      // Its worker is another one.
      if (tool.manifest.remote !== undefined) continue
      const type = tool.manifest.activityType
      const twin = owners.get(type)
      if (twin !== undefined && twin.tool !== tool) throw twoTools(type, twin, { tool, agent })
      owners.set(type, { tool, agent })
    }
  }
  return new Map([...owners].map(([type, { tool }]) => [type, tool]))
}

interface Owned {
  readonly tool: Tool
  readonly agent: Agent
}

function twoTools(type: string, a: Owned, b: Owned): DefinitionError {
  return new DefinitionError(
    `Two different tools have the activity type "${type}": "${a.tool.name}" of agent "${a.agent.name}" and "${b.tool.name}" of agent "${b.agent.name}". Share one tool, rename one, or give one an activityType of its own.`,
  )
}
