import type { CallModelInput, StrategyChoice, Summary } from '../contract/activities.js'
import type { ModelReply } from '../contract/reply.js'
import type { RunState } from '../contract/run.js'
import type { TurnStart } from './state.js'
import type { ToolFailure } from './tool-failure.js'

/** Where a step stands in its run. */
export interface StepPlace {
  readonly turn: number
  readonly step: number
}

/** How an activity ended, and the workflow's clock when the loop heard of it, in milliseconds. */
export type Ending<T> =
  | { readonly kind: 'result'; readonly value: T; readonly at: number }
  | { readonly kind: 'failure'; readonly failure: ToolFailure; readonly at: number }

/** One model call as it was scheduled, and how it ended. */
export interface RecordedModelCall {
  readonly input: CallModelInput
  /** Null: it was under way when the record ends, or was cancelled. */
  readonly ending: Ending<ModelReply> | null
}

/** One execution of a run: what its loop began with, and what the world answered. */
export interface ExecutionRecord {
  /** A turn from its beginning, or the state that was carried over. */
  readonly start: TurnStart | { readonly state: RunState }
  /** The workflow's clock when the loop began, in milliseconds. */
  readonly startedAt: number
  /** By {@link placeKey} of the step: one, or one for each fallback model, in the order of the calls. */
  readonly modelCalls: ReadonlyMap<string, readonly RecordedModelCall[]>
  /**
   * By {@link placeKey} of the call: what its activity ended with. A {@link ToolOutcome}, or any value of
   * a remote tool.
   */
  readonly toolCalls: ReadonlyMap<string, Ending<unknown>>
  /** Failed local activities, whose history tells the step and the activity type alone, by both. */
  readonly unplaced: ReadonlyMap<string, readonly Ending<never>[]>
  /** By turn. */
  readonly choices: ReadonlyMap<number, Ending<StrategyChoice>>
  /** By {@link placeKey} of the step that they were made for, in order. */
  readonly summaries: ReadonlyMap<string, readonly Ending<Summary>[]>
}

/** What the history of a run tells: the executions of its chain, in order. Immutable. */
export interface RunRecord {
  readonly executions: readonly ExecutionRecord[]
}

/** The key of a step or a call in a record: `turn.step` or `turn.step.call`. */
export function placeKey({ turn, step, call }: StepPlace & { readonly call?: number }): string {
  return call === undefined ? `${turn}.${step}` : `${turn}.${step}.${call}`
}

/** The key of a failed local activity in a record. */
export function unplacedKey({ turn, step }: StepPlace, activityType: string): string {
  return `${placeKey({ turn, step })} ${activityType}`
}

/** The turn that an execution works on, and the last step before it. */
export function beginOf({ start }: ExecutionRecord): StepPlace {
  return 'state' in start
    ? { turn: start.state.turn, step: start.state.step }
    : { turn: start.turn, step: 0 }
}

/** The steps whose model was asked, in order. */
export function stepsOf({ executions }: RunRecord): StepPlace[] {
  const all = executions.flatMap(({ modelCalls }) => [...modelCalls.values()])
  return all.flatMap(([first]) =>
    first === undefined ? [] : [{ turn: first.input.turn, step: first.input.step }],
  )
}
