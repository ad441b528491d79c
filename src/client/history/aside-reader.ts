import type { SummarizeInput } from '../../contract/activities.js'
import { isObject } from '../../contract/json.js'
import type { TokenCount } from '../../contract/reply.js'
import type { ActivityEvent } from './activity-reader.js'
import type { Aside } from './aside.js'
import type { DefinitionReader } from './definition-reader.js'
import type { End } from './finish-step.js'
import { stepCost } from './step-cost.js'

/** Activities that ask the model and are no steps. */
const KINDS = new Map<string, Aside['kind']>([
  ['chooseStrategy', 'strategy'],
  ['summarize', 'summary'],
])

/** Builds the model calls of a run that are no steps. */
export class AsideReader {
  readonly #definition: DefinitionReader
  readonly #asides = new Map<string, Aside>()
  #executions = 0

  constructor(definition: DefinitionReader) {
    this.#definition = definition
  }

  /** The model calls so far, in order. */
  get asides(): Aside[] {
    return [...this.#asides.values()]
  }

  /** Event ids begin anew with each execution. */
  beginExecution(): void {
    this.#executions++
  }

  /** True for an activity that is read here. */
  isAside({ type }: ActivityEvent): boolean {
    return KINDS.has(type)
  }

  /** Takes an activity; returns the model call that it changed, if any. */
  take({ id, type, input, scheduledMs, end }: ActivityEvent): Aside | undefined {
    const kind = KINDS.get(type)
    if (kind === undefined || !isObject(input)) return undefined
    const key = `${this.#executions}.${id}`
    const scheduled: Aside = {
      kind,
      turn: Number(input['turn']),
      step: Number(input['step']),
      status: 'running',
      model: typeof input['model'] === 'string' ? input['model'] : this.#definition.model,
      text: '',
      messages: kind === 'summary' ? summarised(input as unknown as SummarizeInput) : 0,
      tokens: null,
      costUsd: null,
      startedAt: new Date(scheduledMs),
      attempts: 0,
      retryCause: null,
      ms: null,
    }
    const aside = end === undefined ? scheduled : this.#ended(scheduled, end)
    this.#asides.set(key, aside)
    return aside
  }

  #ended(aside: Aside, { result, failure, ms, attempts, retryCause }: End): Aside {
    const figures = { ms, attempts, retryCause }
    if (failure !== null) return { ...aside, ...figures, status: 'failed', text: failure }
    const { strategy, text, tokens } = result as {
      readonly strategy?: string | null
      readonly text?: string
      readonly tokens: TokenCount | null
    }
    const costUsd = stepCost(this.#definition, aside.model, tokens)
    return { ...aside, ...figures, status: 'done', text: strategy ?? text ?? '', tokens, costUsd }
  }
}

/** Messages that a summary stands for: the goal of the turn stays. */
export function summarised({ to, goal }: Pick<SummarizeInput, 'goal' | 'to'>): number {
  return goal === null ? to : to - 1
}
