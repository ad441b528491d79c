import { ApplicationFailure, Context } from '@temporalio/activity'
import { userMessage } from '../agent/conversation.js'
import { offeredTools } from '../agent/prompt.js'
import type { AgentActivities, PrepareTurnInput } from '../contract/activities.js'
import { FAILURE } from '../contract/failures.js'
import { LOOP_VERSION } from '../contract/loop-version.js'
import {
  type CountedTokens,
  type Manifest,
  type MemoryPolicy,
  modelNames,
  type Price,
} from '../contract/manifest.js'
import type { UserMessage } from '../contract/messages.js'
import { shorten } from '../contract/text.js'
import { type CountTokens, messageTokens } from '../contract/tokens.js'
import type { Agent } from '../definition/define-agent.js'
import { DefinitionError } from '../definition/definition-error.js'
import { check } from './check-schema.js'
import { errorName } from './error-name.js'
import { lookUpPrice, type Prices } from './prices.js'
import type { PromptCache } from './prompt-cache.js'
import { runKey } from './run-key.js'
import type { Tokenizer } from './tokenizer.js'

/** What only the worker knows of a manifest. */
export interface PrepareTurnDependencies {
  readonly agents: ReadonlyMap<string, Agent>
  readonly cache: PromptCache
  readonly tokenizer: Tokenizer
  readonly prices?: Prices | undefined
  readonly worker: Pick<Manifest, 'heartbeatTimeoutMs' | 'searchAttributes'>
  /** The name under which this worker has the model that an agent names. */
  readonly modelName: (name: string) => string
}

/** The local activity that turns an agent's definition into data for one turn. No I/O. */
export function createPrepareTurn(deps: PrepareTurnDependencies): AgentActivities['prepareTurn'] {
  return async (input) => {
    const agent = deps.agents.get(input.agent)
    if (agent === undefined) throw unknownAgent(input.agent, [...deps.agents.keys()])
    const context = await checkedContext(agent, input)
    const { fallbackModels = [], memory, ...definition } = agent.manifest
    // Two names may mean one model here: it is not tried twice.
    const names = [...new Set([definition.model, ...fallbackModels].map(deps.modelName))]
    const [model = definition.model, ...fallbacks] = names
    const instructions = instructionsFor(agent, context)
    const message = userMessage(input.input)
    const manifest: Manifest = {
      ...definition,
      instructions,
      ...pricesOf(modelNames(agent.manifest).map(deps.modelName), deps.prices),
      tokens: counted(
        { instructions, tools: offeredTools(definition) },
        message,
        await deps.tokenizer(),
      ),
      ...deps.worker,
      loopVersion: LOOP_VERSION,
      model,
      ...(fallbacks.length === 0 ? {} : { fallbackModels: fallbacks }),
      ...(memory === undefined ? {} : { memory: withModelName(memory, deps.modelName) }),
    }
    const conversation = { manifest, messages: [message], context: input.context }
    deps.cache.begin(runKey(Context.current().info), input.turn, conversation)
    return manifest
  }
}

function pricesOf(models: readonly string[], prices: Prices | undefined): Pick<Manifest, 'prices'> {
  if (prices === undefined) return {}
  const known = models.flatMap((model): [string, Price][] => {
    const price = lookUpPrice(prices, model)
    return price === undefined ? [] : [[model, price]]
  })
  return { prices: Object.fromEntries(known) }
}

/** What goes with every prompt, and what the turn begins with. */
function counted(
  { instructions, tools }: Pick<Manifest, 'instructions' | 'tools'>,
  message: UserMessage,
  count: CountTokens,
): CountedTokens {
  const schemas = tools.map(({ name, description, parameters }) => [name, description, parameters])
  return {
    definition: count(instructions) + count(schemas.length === 0 ? '' : JSON.stringify(schemas)),
    input: messageTokens(message, count),
  }
}

function withModelName(
  memory: MemoryPolicy,
  nameOf: PrepareTurnDependencies['modelName'],
): MemoryPolicy {
  const { summary } = memory
  if (summary?.model === undefined) return memory
  return { ...memory, summary: { ...summary, model: nameOf(summary.model) } }
}

/** A function of the user's that throws does so for every attempt: it ends the run, which says why. */
function instructionsFor(agent: Agent, context: unknown): string {
  try {
    return agent.instructionsFor(context)
  } catch (error) {
    const what = error instanceof DefinitionError ? error.message : errorName(error)
    Context.current().log.error('instructions failed', { agent: agent.name, error })
    throw ApplicationFailure.nonRetryable(
      shorten(`The instructions of agent "${agent.name}" could not be made: ${what}`, 1_000),
      FAILURE.invalidContext,
    )
  }
}

async function checkedContext(agent: Agent, { context }: PrepareTurnInput): Promise<unknown> {
  if (agent.context === undefined) return context
  const checked = await check(agent.context, context ?? undefined)
  if (checked.success) return checked.data
  const issues = checked.error.issues.map(
    ({ path, message }) => `${['context', ...path.map(String)].join('.')}: ${message}`,
  )
  throw ApplicationFailure.nonRetryable(
    shorten(`The run's context does not fit agent "${agent.name}": ${issues.join('; ')}`, 1_000),
    FAILURE.invalidContext,
  )
}

function unknownAgent(name: string, known: readonly string[]): ApplicationFailure {
  const list = known.length === 0 ? 'none' : known.join(', ')
  return ApplicationFailure.nonRetryable(
    `This worker has no agent "${shorten(name, 100)}". Its agents: ${list}. (Does another application poll the same task queue? Give each a queue of its own.)`,
    FAILURE.unknownAgent,
  )
}
