import type { WorkflowExecutionStatusName } from '@temporalio/client'
import { ApplicationFailure, type LoadedDataConverter } from '@temporalio/common'
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/codec-helpers.js'
import { FAILURE, type LimitFailureDetail, type RunFailureDetail } from '../../contract/failures.js'
import { isObject } from '../../contract/json.js'
import type { LimitReason } from '../../contract/run.js'
import { RetryError } from '../errors/retry-error.js'
import type { ExecutionFacts } from './execution-facts.js'

/** How an execution ended, as far as a retry asks. `why` is one line. */
export type RunEnding =
  | { readonly kind: 'open' | 'stuck' | 'cancelled' | 'ended'; readonly why: string }
  | { readonly kind: 'completed'; readonly why: string; readonly stopReason: string }
  | { readonly kind: 'limit'; readonly why: string; readonly reason: LimitReason }
  | { readonly kind: 'failed'; readonly why: string; readonly detail?: RunFailureDetail }

/** Reads how an execution ended. */
export async function endOf(
  status: WorkflowExecutionStatusName,
  { failure, taskFailure, result }: ExecutionFacts,
  converter: LoadedDataConverter,
): Promise<RunEnding> {
  switch (status) {
    case 'RUNNING': {
      if (taskFailure === null) return { kind: 'open', why: 'it is open' }
      const error = await decodeOptionalFailureToOptionalError(converter, taskFailure)
      return { kind: 'stuck', why: error?.message ?? 'its workflow task fails' }
    }
    case 'COMPLETED': {
      const stopReason = isObject(result) ? String(result['stopReason']) : 'completed'
      return { kind: 'completed', why: stopReason, stopReason }
    }
    case 'FAILED':
      return failedWith(await decodeOptionalFailureToOptionalError(converter, failure))
    case 'CANCELLED':
      return { kind: 'cancelled', why: 'cancelled' }
    default:
      return { kind: 'ended', why: status.toLowerCase().replace('_', ' ') }
  }
}

function failedWith(error: Error | undefined): RunEnding {
  const why = error?.message ?? 'failed'
  const detail: unknown = error instanceof ApplicationFailure ? error.details?.[0] : undefined
  if (!(error instanceof ApplicationFailure) || !isObject(detail)) return { kind: 'failed', why }
  if (error.type === FAILURE.limit) {
    const { reason } = detail as unknown as LimitFailureDetail
    return { kind: 'limit', why, reason }
  }
  return { kind: 'failed', why, detail: detail as unknown as RunFailureDetail }
}

/** Why this end cannot be mended by a reset, and what can; null when a retry may help. */
export function refusal(id: string, end: RunEnding): RetryError | null {
  switch (end.kind) {
    case 'ended':
      return null
    case 'failed':
      return failedRefusal(id, end.detail)
    case 'open':
      return new RetryError(
        id,
        'open',
        `has not ended: nothing is to be retried. Follow it: perdure show ${id}`,
      )
    case 'stuck':
      return new RetryError(
        id,
        'stuck',
        `is open, and its workflow task fails: ${end.why}. There is nothing to reset: deploy a worker with the mended code, and the run goes on by itself, from where it is.`,
      )
    case 'cancelled':
      return new RetryError(
        id,
        'cancelled',
        `was cancelled, and somebody meant it. To go on from its last step in a run of its own: perdure fork ${id}`,
      )
    case 'completed':
      return new RetryError(
        id,
        'completed',
        `did not fail: it completed with "${end.stopReason}". For another end: ${forkFor(id, end.stopReason)}`,
      )
    case 'limit':
      return new RetryError(
        id,
        'limit',
        `reached its limit (${end.reason}). The limits were fixed when the run began, before all that a retry could go back to. To go on with others: ${forkFor(id, end.reason)}`,
      )
  }
}

function failedRefusal(id: string, detail: RunFailureDetail | undefined): RetryError | null {
  if (detail?.reason === 'state_too_large') {
    return new RetryError(
      id,
      'state_too_large',
      'is too large to go on. Start a new run, and give the agent a memory policy (memory.maxTokens).',
    )
  }
  // Turn 0: the workflow refused what it was started with.
  if (detail?.reason === 'definition_error' && detail.turn === 0) {
    return new RetryError(id, 'bad_input', 'was started with a bad input. Start a new run.')
  }
  return null
}

/** The option of `perdure fork` that raises a limit. */
const OPTIONS: Readonly<Record<string, string>> = {
  max_steps: '--limits max-steps=N',
  token_budget: '--limits max-tokens=N',
  cost_budget: '--limits max-cost-usd=N',
  deadline: '--limits deadline=10m',
}

function forkFor(id: string, reason: string): string {
  const change = Object.hasOwn(OPTIONS, reason) ? OPTIONS[reason] : '--instructions <file>'
  return `perdure fork ${id} ${change}`
}
