import { defineUpdate, setHandler } from '@temporalio/workflow'
import { approveTool, decide, pendingRequests } from '../agent/requests.js'
import { FAILURE } from '../contract/failures.js'
import { isObject, type JsonObject } from '../contract/json.js'
import { UPDATE } from '../contract/names.js'
import type { Decision, PendingRequest } from '../contract/requests.js'
import type { RunState } from '../contract/run.js'
import type { AnswerInput, ApproveInput } from '../contract/session.js'
import { checkCall } from './effects.js'
import { refusal } from './refusal.js'

const approveUpdate = defineUpdate<void, [ApproveInput]>(UPDATE.approve)
const answerUpdate = defineUpdate<void, [AnswerInput]>(UPDATE.answer)

/** Characters that a person may say at once. */
const MAX_TEXT_CHARS = 50_000
const MAX_NAME_CHARS = 200

/** A call that waits, and the state of its turn. */
interface Waiting {
  readonly state: RunState
  readonly request: PendingRequest
}

/** Lets people approve, deny and answer what the turns of this execution wait for. */
export function handlePeople(turns: () => Iterable<RunState | null>): void {
  const waiting = (): Waiting[] =>
    [...turns()].flatMap((state) =>
      state === null ? [] : pendingRequests(state).map((request) => ({ state, request })),
    )
  setHandler(approveUpdate, (input) => approve(waiting, input), {
    validator: (input) => {
      checkApproval(input)
      find(waiting(), 'approval', input.id)
    },
  })
  setHandler(answerUpdate, (input) => answer(waiting, input), {
    validator: (input) => {
      checkText(input?.text, 'text')
      checkName(input?.by)
      find(waiting(), 'question', input.id)
    },
  })
}

async function approve(waiting: () => Waiting[], input: ApproveInput): Promise<void> {
  const { state, request } = find(waiting(), 'approval', input.id)
  const changed = input.args === undefined ? {} : await checked(state, request, input.args)
  // Somebody else may have been quicker while the arguments were checked.
  find(waiting(), 'approval', input.id)
  const by = input.by ?? null
  const at = Date.now()
  if (!input.approved) {
    decide(state, request, { kind: 'denied', reason: input.reason ?? '', by, at })
    return
  }
  decide(state, request, { kind: 'approved', ...changed, by, at })
  if (input.all) approveTool(state, request.tool, { kind: 'approved', by, at })
}

async function answer(
  waiting: () => Waiting[],
  { id, text, by = null }: AnswerInput,
): Promise<void> {
  const { state, request } = find(waiting(), 'question', id)
  const answered: Decision = { kind: 'answered', text: text.toWellFormed(), by, at: Date.now() }
  decide(state, request, answered)
}

async function checked(
  { manifest }: RunState,
  { tool }: PendingRequest,
  args: JsonObject,
): Promise<{ readonly args: JsonObject; readonly hash?: string }> {
  const { problem, ...call } = await checkCall({ agent: manifest.agent, tool, args })
  if (problem !== undefined) throw refusal(FAILURE.invalidArguments, problem)
  return call
}

function find(all: readonly Waiting[], kind: PendingRequest['kind'], id?: string): Waiting {
  const ofKind = all.filter(({ request }) => request.kind === kind)
  const [only, ...others] =
    id === undefined ? ofKind : ofKind.filter((one) => one.request.id === id)
  if (only !== undefined && others.length === 0) return only
  const ids = ofKind.map(({ request }) => request.id).join(', ')
  const there = ids === '' ? 'nothing does' : `these do: ${ids}`
  const what = kind === 'approval' ? 'approval' : 'an answer'
  throw refusal(
    FAILURE.notWaiting,
    id === undefined
      ? `Say which call is meant: ${there} wait for ${what}.`
      : `No call "${id}" waits for ${what}; ${there}. It may have been decided already.`,
  )
}

function checkApproval(input: ApproveInput): void {
  if (typeof input?.id !== 'string' || typeof input.approved !== 'boolean') {
    throw refusal(FAILURE.refused, 'approve needs {"id": string, "approved": boolean}.')
  }
  if (input.reason !== undefined) checkText(input.reason, 'reason', true)
  if (input.args !== undefined && !isObject(input.args)) {
    throw refusal(FAILURE.refused, 'args must be a JSON object.')
  }
  if (!input.approved && (input.args !== undefined || input.all)) {
    throw refusal(FAILURE.refused, 'args and all are for calls that are approved.')
  }
  checkName(input.by)
}

/** A person's words, before they enter the history. */
export function checkText(text: unknown, field: string, mayBeEmpty = false): void {
  if (typeof text !== 'string' || (!mayBeEmpty && text.trim() === '')) {
    throw refusal(FAILURE.refused, `${field} must be a text that is not empty.`)
  }
  if (text.length > MAX_TEXT_CHARS) {
    throw refusal(
      FAILURE.refused,
      `${field} has ${text.length} characters, ${MAX_TEXT_CHARS} at most.`,
    )
  }
}

/** Who says something. */
export function checkName(by: unknown): void {
  if (by === undefined || by === null) return
  if (typeof by === 'string' && by.length <= MAX_NAME_CHARS) return
  throw refusal(FAILURE.refused, `by must be a text of ${MAX_NAME_CHARS} characters at most.`)
}
