import type { JsonObject } from '../../contract/json.js'
import type { Finish, TokenCount } from '../../contract/reply.js'
import type { Decision } from '../../contract/requests.js'

/** One tool call of a step, as its history tells it. */
export interface StepCall {
  readonly name: string
  readonly args: JsonObject
  /**
   * `refused`: not run, because there is no such tool, the arguments do not fit, or the tool was called as
   * often as it may be. `cached`: answered by the result of an earlier call. `dry`: not run, because the run
   * is a fork; the observation is what the same call got in the first run, or says that it was not run.
   * `waiting`: for a person; the observation is why, or the question. `denied`: not run, because a person did
   * not allow it, or nobody did in time.
   */
  readonly status: 'running' | 'waiting' | 'ok' | 'cached' | 'dry' | 'error' | 'refused' | 'denied'
  /** The observation, or the failure's message. Notes of repeat detection are not in it. */
  readonly observation: string
  /** What a person said of the call, with who and when; left out where nobody was asked, or none has yet. */
  readonly decision?: Decision
  /** Attempts that were made; 0 while running, since the history tells only at the end. */
  readonly attempts: number
  /** Why the attempt before the last failed; null without retries, or where the history does not tell. */
  readonly retryCause: string | null
  /** Milliseconds from scheduling to the end of the last attempt; null while running. */
  readonly ms: number | null
}

/** One step: a model call and the tool calls that it asked for. */
export interface Step {
  readonly turn: number
  readonly step: number
  /** The last answer, asked for without tools because a limit was reached. */
  readonly forced: boolean
  /** The strategy of the turn, null without one. */
  readonly strategy: string | null
  readonly status: 'calling_model' | 'calling_tools' | 'done' | 'failed'
  /** The model that was asked, or answered; '' where an old history does not tell. */
  readonly model: string
  /** Models that were asked before for this step, and failed for good. */
  readonly failedModels: readonly string[]
  /** Messages that were left out of the conversation just before this step, without a summary. */
  readonly dropped: number
  /** Parameters that the model's server refused, and that it was asked again without. */
  readonly adapted: readonly string[]
  /** What the model said; the failure's message when its call failed. */
  readonly text: string
  /** Why the model ended its reply; null when there is none. */
  readonly finish: Finish | null
  readonly calls: readonly StepCall[]
  /** Null when the server did not say, or the call is not finished. */
  readonly tokens: TokenCount | null
  /** US dollars of the model call; null when tokens or the model's price are not known. */
  readonly costUsd: number | null
  readonly startedAt: Date
  /** Attempts at the model call; 0 while it runs. */
  readonly attempts: number
  /** Why the attempt before the last failed; null without retries. */
  readonly retryCause: string | null
  /** Milliseconds of the model call; null while it runs. */
  readonly ms: number | null
}
