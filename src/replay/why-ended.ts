import type { LoadedDataConverter, Payload } from '@temporalio/common'
import { ApplicationFailure } from '@temporalio/common'
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/codec-helpers.js'
import { decodeFirst } from '../client/history/decode.js'
import type { HistoryEvent } from '../client/history/read-events.js'
import type { Step } from '../client/history/step.js'
import type { Transcript } from '../client/history/transcript.js'
import type { RunStatusName } from '../client/run-handle.js'
import { FAILURE, type LimitFailureDetail, type RunFailureDetail } from '../contract/failures.js'
import { isObject } from '../contract/json.js'
import type { RunResult, StopReason } from '../contract/run.js'

/** How a run ended, as its history tells. */
export interface RunEnd {
  /** Of the last execution that is known; `continued` when its history is not there. */
  readonly status: RunStatusName | 'continued'
  /** The stop reason, the reason of the failure, or the status where there is neither. */
  readonly reason: string
  /** Why it ended, in one line. */
  readonly text: string
  /** The result; null when there is none. */
  readonly result: RunResult | null
}

/** Why a run that has a result ended. */
const STOPS: Readonly<Record<StopReason, string>> = {
  answered: 'the model answered',
  interrupted: 'the user asked it to stop',
  max_steps: 'the limit of steps was reached',
  repeats: 'the same calls gave the same results again and again',
  tool_errors: 'steps in a row brought nothing but errors of tools',
  token_budget: 'the token budget was used up',
  cost_budget: 'the cost budget was used up',
  deadline: 'the time was up',
  refusal: 'the model refused',
  content_filter: 'a content filter stopped the model',
  empty_reply: 'the model replied with nothing, twice',
  context_length: 'the prompt was too long for the model',
}

/** Why a run ended, or what it is doing: from its last event. */
export async function whyEnded(
  events: readonly HistoryEvent[],
  { steps, stuck }: Pick<Transcript, 'steps' | 'stuck'>,
  converter: LoadedDataConverter,
): Promise<RunEnd> {
  const last = events.findLast(isClosing)
  const completed = last?.workflowExecutionCompletedEventAttributes
  if (completed) {
    const result = await decodeFirst(converter, completed.result?.payloads as Payload[])
    return isObject(result) ? completedEnd(result as unknown as RunResult) : plainEnd('completed')
  }
  const failed = last?.workflowExecutionFailedEventAttributes
  if (failed) {
    const error = await decodeOptionalFailureToOptionalError(converter, failed.failure)
    return failedEnd(error, steps)
  }
  const ended = last?.workflowExecutionTerminatedEventAttributes
  if (ended) {
    return plainEnd('terminated', `${ended.identity || 'somebody'}: ${ended.reason || 'no reason'}`)
  }
  if (last?.workflowExecutionCanceledEventAttributes) return plainEnd('cancelled')
  if (last?.workflowExecutionTimedOutEventAttributes) {
    return plainEnd('timed_out', 'the time limit of the workflow itself')
  }
  if (last?.workflowExecutionContinuedAsNewEventAttributes) {
    return plainEnd('continued', 'it goes on in an execution whose history is not here')
  }
  return stuck === null ? openEnd(steps) : stuckEnd(stuck)
}

function isClosing(event: HistoryEvent): boolean {
  return [
    event.workflowExecutionCompletedEventAttributes,
    event.workflowExecutionFailedEventAttributes,
    event.workflowExecutionTerminatedEventAttributes,
    event.workflowExecutionCanceledEventAttributes,
    event.workflowExecutionTimedOutEventAttributes,
    event.workflowExecutionContinuedAsNewEventAttributes,
    // A later execution of the chain is there: it decides.
    event.workflowExecutionStartedEventAttributes,
  ].some(Boolean)
}

function completedEnd(result: RunResult): RunEnd {
  const { stopReason, steps } = result
  const why = STOPS[stopReason] ?? stopReason
  const text = `${stopReason}: ${why}, after ${steps} ${steps === 1 ? 'step' : 'steps'}`
  return { status: 'completed', reason: stopReason, text, result }
}

function failedEnd(error: Error | undefined, steps: readonly Step[]): RunEnd {
  const message = oneLine(error?.message ?? 'without a message')
  const failure = error instanceof ApplicationFailure ? error : undefined
  const detail: unknown = failure?.details?.[0]
  if (failure?.type === FAILURE.limit && isObject(detail)) {
    const { reason, partial } = detail as unknown as LimitFailureDetail
    const text = `${message} (the agent says onLimit: 'fail')`
    return { status: 'failed', reason, text, result: partial }
  }
  if (failure?.type === FAILURE.run && isObject(detail)) {
    const { reason, ...at } = detail as unknown as RunFailureDetail
    const where = place(at, steps)
    return { status: 'failed', reason, text: `${message}${where}`, result: null }
  }
  return { status: 'failed', reason: 'failed', text: message, result: null }
}

/** Where a run failed, such as ` (step 2, flaky, 3 attempts)`. */
function place(
  { turn, step, call }: Pick<RunFailureDetail, 'turn' | 'step' | 'call'>,
  steps: readonly Step[],
): string {
  if (step === 0) return ''
  const at = steps.find((one) => one.turn === turn && one.step === step)
  const called = call === undefined ? undefined : at?.calls[call - 1]
  const attempts = called?.attempts ?? at?.attempts ?? 0
  const parts = [
    `step ${step}`,
    ...(called === undefined ? [] : [called.name]),
    ...(attempts === 0 ? [] : [`${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`]),
  ]
  return ` (${parts.join(', ')})`
}

function stuckEnd(message: string): RunEnd {
  const what = `its workflow task fails: ${oneLine(message)}`
  return plainEnd('running', `stuck until a deployment mends it, ${what}`)
}

/** The run goes on: what it waits for. */
function openEnd(steps: readonly Step[]): RunEnd {
  const step = steps.at(-1)
  if (step === undefined) return plainEnd('running', 'it has not begun a step')
  const waiting = step.calls.filter(({ status }) => status === 'running').map(({ name }) => name)
  const what = step.status === 'calling_model' ? 'the model' : waiting.join(', ')
  return plainEnd(
    'running',
    what === '' ? `after step ${step.step}` : `step ${step.step} waits for ${what}`,
  )
}

function plainEnd(status: RunEnd['status'], why?: string): RunEnd {
  return {
    status,
    reason: status,
    text: why === undefined ? status : `${status}: ${why}`,
    result: null,
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
