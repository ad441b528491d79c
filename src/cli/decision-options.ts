import type { JsonObject } from '../contract/json.js'
import type { Decision } from './decision.js'
import { UsageError } from './usage-error.js'

/** Options of `perdure approve` that say what is decided. */
export interface DecisionOptions {
  /** True: nothing is decided. */
  readonly list?: boolean
  readonly deny?: boolean
  readonly reason?: string
  readonly editArgs?: JsonObject
  readonly all?: boolean
  readonly answer?: string
  readonly yes?: boolean
}

/**
 * What the options decide; null when they say nothing.
 *
 * @param hasCall true: a call was named, which alone means that it is approved
 * @throws UsageError when they do not fit together
 */
export function decisionOf(options: DecisionOptions, hasCall: boolean): Decision | null {
  const { deny, reason, editArgs, all, answer, list } = options
  const isApproval = approves(options)
  checkTogether(options, isApproval)
  if (list && (hasCall || isApproval || deny || answer !== undefined)) {
    throw new UsageError('--list only shows what waits: it goes with no call and no decision.')
  }
  if (answer !== undefined) return { kind: 'answer', text: answer }
  if (deny) return { kind: 'deny', ...(reason === undefined ? {} : { reason }) }
  if (!isApproval && !hasCall) return null
  return {
    kind: 'approve',
    ...(editArgs === undefined ? {} : { args: editArgs }),
    ...(all ? { all } : {}),
  }
}

function approves({ editArgs, all, yes }: DecisionOptions): boolean {
  return editArgs !== undefined || all === true || yes === true
}

function checkTogether({ deny, reason, answer }: DecisionOptions, isApproval: boolean): void {
  if (reason !== undefined && !deny) throw new UsageError('--reason goes with --deny.')
  if (deny && isApproval) {
    throw new UsageError('--deny does not go with --yes, --all and --edit-args: those approve.')
  }
  if (answer !== undefined && (deny || isApproval)) {
    throw new UsageError('--answer is for questions, and does not go with a decision on a call.')
  }
}
