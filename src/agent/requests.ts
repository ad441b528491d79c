import { ASK_USER } from '../contract/ask-user.js'
import { type AssistantMessage, callId, type ToolCall } from '../contract/messages.js'
import { errorText } from '../contract/observation.js'
import type { Decision, PendingRequest } from '../contract/requests.js'
import type { RunState } from '../contract/run.js'
import { dryAnswer } from './dry-calls.js'

/** A day: what nobody approved by then is denied. */
const DEFAULT_DEADLINE_MS = 86_400_000

/** What people must say before the calls of a reply may run, by the place of the call; none for most. */
export function requestsOf(
  state: RunState,
  { calls }: AssistantMessage,
  now: () => number,
): Record<string, PendingRequest> {
  const asking = calls
    .map((call, i) => ({ call, place: i + 1 }))
    .filter(({ call }) => asksPerson(state, call))
  if (asking.length === 0) return {}
  const since = now()
  const deadline = since + (state.manifest.approvalDeadlineMs ?? DEFAULT_DEADLINE_MS)
  const { turn, step } = state
  return Object.fromEntries(
    asking.map(({ call, place }) => [
      `${place}`,
      {
        kind: call.name === ASK_USER ? 'question' : 'approval',
        id: callId(turn, step, place),
        turn,
        step,
        call: place,
        tool: call.name,
        args: call.args,
        text: call.name === ASK_USER ? questionOf(call) : (call.approval ?? ''),
        since,
        deadline,
      } satisfies PendingRequest,
    ]),
  )
}

function asksPerson(state: RunState, call: ToolCall): boolean {
  if (call.problem !== undefined) return false
  if (call.name === ASK_USER) return true
  if (call.approval === undefined || state.approvedTools?.includes(call.name)) return false
  const tool = state.manifest.tools.find(({ name }) => name === call.name)
  // A rehearsal does not run it anyway.
  return tool !== undefined && dryAnswer(state, call, tool) === null
}

function questionOf({ args }: ToolCall): string {
  const { question } = args
  return typeof question === 'string' ? question : ''
}

/** What a run waits for now. */
export function pendingRequests({ open }: Pick<RunState, 'open'>): PendingRequest[] {
  if (open === undefined) return []
  return Object.entries(open.requests).flatMap(([place, request]) =>
    open.decisions[place] === undefined ? [request] : [],
  )
}

/** Puts a decision on a call that waits for one; on any other it does nothing. */
export function decide(state: RunState, { call, id }: PendingRequest, decision: Decision): void {
  const { open } = state
  if (open === undefined || !pendingRequests(state).some((pending) => pending.id === id)) return
  open.decisions = { ...open.decisions, [`${call}`]: decision }
}

/** Lets all calls of a tool run in this turn: those that wait, and those to come. */
export function approveTool(state: RunState, tool: string, decision: Decision): void {
  state.approvedTools = [...new Set([...(state.approvedTools ?? []), tool])]
  for (const request of pendingRequests(state)) {
    if (request.kind === 'approval' && request.tool === tool) decide(state, request, decision)
  }
}

/** Asks the turn to come to an end: what waits for a person waits no longer. */
export function interrupt(state: RunState, by: string | null, at: number): void {
  state.interrupted = true
  for (const request of pendingRequests(state)) {
    decide(state, request, { kind: 'interrupted', by, at })
  }
}

/** What the model reads of a call that did not run, or of the question that it asked. */
export function decisionText(decision: Decision): { readonly text: string; readonly error?: true } {
  switch (decision.kind) {
    case 'approved':
      return { text: '' }
    case 'answered':
      return { text: decision.text }
    case 'denied':
      return denied(
        `A person did not allow this call${decision.reason === '' ? '' : `: ${decision.reason}`}. It was not run. Do not try again.`,
      )
    case 'expired':
      return denied('Nobody said anything in time. It was not run. Go on without it.')
    case 'interrupted':
      return denied('The user ended the turn before this was decided. It was not run.')
  }
}

function denied(message: string): { readonly text: string; readonly error: true } {
  return { text: errorText({ error_type: 'denied', message, retryable: false }), error: true }
}
