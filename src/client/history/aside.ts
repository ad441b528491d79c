import type { TokenCount } from '../../contract/reply.js'

/** A model call that is no step: it chose the strategy of the turn, or summarised older messages. */
export interface Aside {
  readonly kind: 'strategy' | 'summary'
  readonly turn: number
  /** The step that it was made for. */
  readonly step: number
  readonly status: 'running' | 'done' | 'failed'
  readonly model: string
  /** The strategy, or the summary; empty when there is none. The failure's message when the call failed. */
  readonly text: string
  /** Messages that became the summary, or were left out without one; 0 for a strategy. */
  readonly messages: number
  /** Null when the server did not say, or the call is not finished. */
  readonly tokens: TokenCount | null
  /** US dollars; null when tokens or the model's price are not known. */
  readonly costUsd: number | null
  readonly startedAt: Date
  /** 0 while it runs. */
  readonly attempts: number
  /** Why the attempt before the last failed; null without retries. */
  readonly retryCause: string | null
  /** Milliseconds; null while it runs. */
  readonly ms: number | null
}
