import type { ForkChanges } from '../../agent/fork-changes.js'
import type { Limits } from '../../contract/manifest.js'
import { InvalidInputError } from '../errors/invalid-input-error.js'

/** What a fork is made with. */
export interface ForkOptions extends ForkChanges {
  /**
   * The step before which it begins, from 1. The one behind the last is a step too, where the run ended
   * without an answer. @default the one behind the last, else the last: that of the failure
   */
  readonly step?: number
  /**
   * True: tools that write are run. Else such a call gets the result that the same call had in the run
   * that is forked, or the model is told that it was not run. @default false
   */
  readonly live?: boolean
  /** The workflow id of the fork. @default the run's id and a random part */
  readonly id?: string
}

/** Refuses what no fork can be made of, before anything is read. */
export function checkForkOptions({ step, limits = {}, ...changes }: ForkOptions): void {
  if (step !== undefined && !isCount(step)) {
    throw new InvalidInputError('step must be a whole number, 1 or more.')
  }
  for (const name of ['model', 'instructions', 'input', 'id'] as const) {
    if (changes[name]?.trim() === '') throw new InvalidInputError(`${name} must not be empty.`)
  }
  for (const name of ['maxSteps', 'maxTokens', 'deadlineMs'] as const) checkCount(limits, name)
  const { maxCostUsd } = limits
  if (maxCostUsd !== undefined && !(maxCostUsd > 0)) {
    throw new InvalidInputError('limits.maxCostUsd must be above 0.')
  }
}

function checkCount(limits: Partial<Limits>, name: 'maxSteps' | 'maxTokens' | 'deadlineMs'): void {
  const value = limits[name]
  if (value === undefined || isCount(value)) return
  throw new InvalidInputError(`limits.${name} must be a whole number, 1 or more.`)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1
}

/** What a fork has otherwise, in words: for people, in memo and UI. */
export function changesInWords({
  model,
  instructions,
  input,
  observations = {},
  limits = {},
  live,
}: ForkOptions): string[] {
  return [
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(instructions === undefined ? [] : ['other instructions']),
    ...(input === undefined ? [] : ['other input']),
    ...Object.keys(observations).map((place) => `other observation of ${place}`),
    ...Object.entries(limits).map(([name, value]) => `${name} ${value}`),
    ...(live ? ['tools that write are run'] : []),
  ]
}
