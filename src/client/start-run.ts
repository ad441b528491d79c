import { createHash, randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import type { Priority } from '@temporalio/common'
import { canonicalJson } from '../contract/json.js'
import type { Limits } from '../contract/manifest.js'
import type { StartInput } from '../contract/run.js'
import { shorten } from '../contract/text.js'
import { checkedContext, checkId, checkSize } from './check-input.js'
import { InvalidInputError } from './errors/invalid-input-error.js'
import { launch, type StartedRun } from './launch.js'

/** An agent by its definition, as `defineAgent` makes it: its model and limits then show in the UI. */
export interface AgentReference<C = object> {
  readonly name: string
  readonly model: string
  readonly limits: Limits
  /** Only a type: what its runs are started with. */
  readonly contextType?: C
}

/** What a run is started with. `C` is the context that the agent's definition asks for. */
export interface StartOptions<C = object> {
  /** The user's message. */
  readonly input: string
  /** Who is asking, for tools and never for the prompt; checked by the agent's `context` schema. @default none */
  readonly context?: C
  /**
   * The workflow id: starting twice with one id makes one run. Use what the run is for, such as
   * `ticket-42`. @default the agent's name and a random UUID
   */
  readonly id?: string
  /**
   * What to do when the id has a run, open or closed: `attach` to it, or start a `new` one once it is
   * closed. @default 'attach'
   */
  readonly onExisting?: 'attach' | 'new'
  /** Temporal's priority key: 1 (first) to 5. @default 3 */
  readonly priority?: number
  /** Temporal's fairness key, such as a tenant: queues are shared between keys. @default none */
  readonly fairnessKey?: string
}

/** What a start needs of an agent's definition. */
type AgentFacts = Omit<AgentReference, 'contextType'>

/** Bytes of the input at most; the rest of Temporal's 2 MB is room for codecs. */
const MAX_INPUT_BYTES = 1_000_000
/** Temporal's own limits, told before anything is started. */
const MAX_FAIRNESS_BYTES = 64
const MAX_PRIORITY = 5

/**
 * Starts a run, or finds the one that has the id.
 *
 * @throws InvalidInputError before anything is started
 * @throws InputMismatchError when the id's run was started with something else
 * @throws RunOpenError when a new run is wanted and the old one is open
 */
export async function startRun(
  client: Client,
  taskQueue: string,
  agent: string | AgentFacts,
  options: StartOptions,
): Promise<StartedRun> {
  const name = typeof agent === 'string' ? agent : agent.name
  const input = checkInput(name, options)
  const id = options.id ?? `${name}-${randomUUID()}`
  return await launch(client, {
    id,
    taskQueue,
    input,
    memo: { agent: name, inputDigest: digest(input) },
    isNew: options.onExisting === 'new',
    staticSummary: shorten(`${name} · ${oneLine(shorten(options.input, 100))}`, 200),
    staticDetails: details(agent, id),
    priority: priority(options),
  })
}

function checkInput(agent: string, options: StartOptions): StartInput {
  const { input, context } = options
  checkPlace(options)
  if (typeof agent !== 'string' || agent === '') {
    throw new InvalidInputError('start needs the name of an agent, or its definition.')
  }
  if (typeof input !== 'string' || input.trim() === '') {
    throw new InvalidInputError('start needs an input: the text that the user asks.')
  }
  checkSize('input', input, MAX_INPUT_BYTES, 'store the text elsewhere and let a tool read it')
  return { agent, input, context: checkedContext(context) }
}

function checkPlace({ id, priority: key, fairnessKey }: StartOptions): void {
  checkId(id)
  if (key !== undefined && !(Number.isInteger(key) && key >= 1 && key <= MAX_PRIORITY)) {
    throw new InvalidInputError(
      `The priority must be a whole number, 1 (first) to ${MAX_PRIORITY}.`,
    )
  }
  if (fairnessKey !== undefined && Buffer.byteLength(fairnessKey) > MAX_FAIRNESS_BYTES) {
    throw new InvalidInputError(`The fairness key must have ${MAX_FAIRNESS_BYTES} bytes at most.`)
  }
}

function digest(input: StartInput): string {
  const { agent, input: text, context } = input
  return createHash('sha256')
    .update(canonicalJson([agent, text, context ?? null]))
    .digest('hex')
}

function details(agent: string | AgentFacts, id: string): string {
  const lines =
    typeof agent === 'string'
      ? [`- agent: **${agent}** (model, limits and steps: see the current details)`]
      : [
          `- agent: **${agent.name}**`,
          `- model: ${agent.model}`,
          `- limits: at most ${agent.limits.maxSteps} steps`,
        ]
  return [...lines, `- steps in the terminal: \`perdure show ${id}\``].join('\n')
}

function priority({ priority: priorityKey, fairnessKey }: StartOptions): Priority {
  return {
    ...(priorityKey === undefined ? {} : { priorityKey }),
    ...(fairnessKey === undefined ? {} : { fairnessKey }),
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
