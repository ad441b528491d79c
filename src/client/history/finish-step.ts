import { decisionText } from '../../agent/requests.js'
import type { ToolOutcome } from '../../contract/activities.js'
import { ASK_USER } from '../../contract/ask-user.js'
import { pageOf, READ_MORE, type Rest, readMoreArgs } from '../../contract/read-more.js'
import type { ModelReply } from '../../contract/reply.js'
import type { Decision } from '../../contract/requests.js'
import type { Step, StepCall } from './step.js'

/** How an activity ended. */
export interface End {
  readonly result: unknown
  /** Null when it succeeded. */
  readonly failure: string | null
  readonly ms: number
  readonly attempts: number
  /** Why the attempt before the last failed; null without retries, or where the history does not tell. */
  readonly retryCause: string | null
}

/** What was cut from observations, by the id of their call. */
export type Rests = ReadonlyMap<string, Rest>

/** The step once its model call has ended. */
export function withReply(step: Step, { result, failure, ...figures }: End, rests: Rests): Step {
  if (failure !== null) return { ...step, ...figures, status: 'failed', text: failure }
  const reply = result as ModelReply
  // Calls of a forced, refused or filtered reply are not run.
  const ended = step.forced || (reply.finish !== 'stop' && reply.finish !== 'length')
  const calls = ended ? [] : reply.calls.map((call) => startCall(call, rests))
  const status = calls.some(isOpen) ? 'calling_tools' : 'done'
  const { text, tokens, finish, adapted = [] } = reply
  return { ...step, ...figures, status, text, tokens, finish, adapted, calls }
}

function isOpen({ status }: StepCall): boolean {
  return status === 'running' || status === 'waiting'
}

function startCall(
  { name, args, problem, approval }: ModelReply['calls'][number],
  rests: Rests,
): StepCall {
  const call = { name, args, attempts: 0, retryCause: null }
  if (name === READ_MORE && problem === undefined) {
    // Answered from the run's own state, so no activity tells; a store's page has one.
    const { id, page } = readMoreArgs(args)
    const rest = rests.get(id)
    if (rest) {
      const { text: observation, error } = pageOf(rest, page)
      return { ...call, status: error ? 'error' : 'ok', observation, ms: 0 }
    }
  }
  const asked = name === ASK_USER ? String(args['question'] ?? '') : approval
  // Where the tool was approved for the turn before, its activity follows at once.
  if (problem === undefined && asked !== undefined) {
    return { ...call, status: 'waiting', observation: asked, ms: null }
  }
  return problem === undefined
    ? { ...call, status: 'running', observation: '', ms: null }
    : { ...call, status: 'refused', observation: problem, ms: 0 }
}

/** The step with one of its calls changed; `place` counts from 1. */
export function withCall(step: Step, place: number, change: (call: StepCall) => StepCall): Step {
  const calls = step.calls.map((old, i) => (i === place - 1 ? change(old) : old))
  return { ...step, calls, status: calls.some(isOpen) ? 'calling_tools' : 'done' }
}

/** The call once its activity is scheduled: it waits for nobody any more. */
export function runCall(call: StepCall): StepCall {
  return call.status === 'waiting' ? { ...call, status: 'running', observation: '' } : call
}

/** The call once a person has decided on it; one that was approved goes on as its activity does. */
export function decideCall(call: StepCall, decision: Decision): StepCall {
  if (decision.kind === 'approved') return { ...call, decision }
  const { text: observation, error } = decisionText(decision)
  return { ...call, decision, status: error ? 'denied' : 'ok', observation, ms: 0 }
}

/** The call once its activity has ended. */
export function endCall(call: StepCall, { result, failure, ...figures }: End): StepCall {
  if (failure !== null) return { ...call, ...figures, status: 'error', observation: failure }
  const { text, error } = result as ToolOutcome
  return { ...call, ...figures, status: error ? 'error' : 'ok', observation: text }
}
