import type { Client } from '@temporalio/client'
import { canonicalJson } from '../../contract/json.js'
import { type OutlinedStep, type RunOutline, readOutline } from './run-outline.js'

/** One step of two runs, by its number. */
export interface StepPair {
  readonly step: number
  /** The same words, the same calls with the same arguments, and the same observations. */
  readonly same: boolean
  /** Null where the first run has no such step. */
  readonly a: OutlinedStep | null
  /** Null where the second run has no such step. */
  readonly b: OutlinedStep | null
}

/** Two runs side by side. */
export interface RunDiff {
  readonly a: RunOutline
  readonly b: RunOutline
  readonly steps: readonly StepPair[]
  /** The first step that is not the same; null when there is none. */
  readonly divergesAt: number | null
}

/** Reads two runs from their histories, and pairs their steps. */
export async function diffRuns(client: Client, idA: string, idB: string): Promise<RunDiff> {
  const [a, b] = await Promise.all([readOutline(client, idA), readOutline(client, idB)])
  const steps = pairs(a, b)
  return { a, b, steps, divergesAt: steps.find(({ same }) => !same)?.step ?? null }
}

function pairs(a: RunOutline, b: RunOutline): StepPair[] {
  const left = byNumber(a)
  const right = byNumber(b)
  const numbers = [...new Set([...left.keys(), ...right.keys()])].sort((one, two) => one - two)
  return numbers.map((step) => {
    const one = left.get(step) ?? null
    const two = right.get(step) ?? null
    const same = one !== null && two !== null && contentOf(one) === contentOf(two)
    return { step, same, a: one, b: two }
  })
}

function byNumber({ steps }: RunOutline): Map<number, OutlinedStep> {
  return new Map(steps.map((step) => [step.step, step]))
}

function contentOf({ text, forced, status, calls }: OutlinedStep): string {
  return canonicalJson([
    text,
    forced,
    status,
    calls.map(({ name, args, observation }) => [name, args, observation]),
  ])
}
