import type { ToolOutcome } from '../contract/activities.js'
import type { JsonObject } from '../contract/json.js'
import type { AssistantMessage } from '../contract/messages.js'
import type { Decision, OpenStep, PendingRequest } from '../contract/requests.js'
import type { RunState } from '../contract/run.js'
import { answerCall, type CallEffects, type PlannedCall } from './answer-call.js'
import { decisionText, requestsOf } from './requests.js'
import { batches, invalidateBy, keepResult, plan, runPlanned } from './run-calls.js'

/** What waiting for a person needs of the world. */
export interface DecisionEffects {
  /**
   * **Contract:** resolves with the decision on a request of the open step, which is then in the state too;
   * `expired` at its deadline; null when the execution should continue as new before there is any.
   */
  untilDecided(request: PendingRequest): Promise<Decision | null>
}

/** What the table of the UI tells of a step. */
export interface StepFigures {
  readonly what: string
  readonly tokens: number
  /** When its model was asked, in milliseconds since 1970. */
  readonly startedAt: number
}

/** Opens a step of which some calls need a person's word; null, and nothing changes, when none does. */
export function openStep(
  state: RunState,
  { message, size }: { readonly message: AssistantMessage; readonly size?: number | undefined },
  figures: StepFigures,
  now: () => number,
): OpenStep | null {
  const requests = requestsOf(state, message, now)
  if (Object.keys(requests).length === 0) return null
  state.open = {
    message,
    ...(size === undefined ? {} : { size }),
    ...figures,
    requests,
    decisions: {},
    outcomes: message.calls.map(() => null),
  }
  return state.open
}

/**
 * Runs the calls of an open step: first those that need nobody, then each that waits as soon as there is a
 * word on it.
 *
 * @returns null when the execution should continue as new: the open step goes on in the next one
 */
export async function runOpenStep(
  state: RunState,
  open: OpenStep,
  effects: CallEffects & DecisionEffects,
): Promise<ToolOutcome[] | null> {
  const left = plan(state, open.message).filter(({ place }) => open.outcomes[place - 1] === null)
  const free = left.filter(({ place }) => open.requests[`${place}`] === undefined)
  const done = await runPlanned(state, free, effects)
  for (const [i, { place }] of free.entries()) open.outcomes[place - 1] = done[i] ?? null

  const asking = left.filter(({ place }) => open.requests[`${place}`] !== undefined)
  for (const batch of batches(state, asking)) {
    const answers = batch.map((planned) => answerDecided(state, open, planned, effects))
    for (const [i, outcome] of (await Promise.all(answers)).entries()) {
      const { place } = batch[i] ?? { place: 0 }
      open.outcomes[place - 1] = outcome
    }
    if (open.outcomes.some((outcome, i) => outcome === null && isIn(batch, i + 1))) return null
  }
  return open.outcomes.flatMap((outcome) => outcome ?? [])
}

function isIn(batch: readonly PlannedCall[], place: number): boolean {
  return batch.some((planned) => planned.place === place)
}

async function answerDecided(
  state: RunState,
  open: OpenStep,
  planned: PlannedCall,
  effects: CallEffects & DecisionEffects,
): Promise<ToolOutcome | null> {
  const place = `${planned.place}`
  const request = open.requests[place]
  if (request === undefined) return null
  const decision = open.decisions[place] ?? (await effects.untilDecided(request))
  if (decision === null) return null
  state.decided = { ...state.decided, [place]: decision }
  if (decision.kind !== 'approved') return decisionText(decision)
  const { args, hash } = decision
  const call = {
    ...planned.call,
    ...(args === undefined ? {} : { args }),
    ...(hash === undefined ? {} : { hash }),
  }
  const ready = { ...planned, call }
  const { outcome: started, source } = answerCall(state, ready, effects)
  const outcome = await started
  if (source !== undefined) state.reused = { ...state.reused, [place]: source }
  else keepResult(state, ready, outcome, effects.now)
  invalidateBy(state, [ready])
  return args === undefined ? outcome : changed(outcome, args)
}

/** The model asked for something else: it must know what this is the result of. */
function changed({ text, size: _, ...outcome }: ToolOutcome, args: JsonObject): ToolOutcome {
  const note = `[note: a person changed the arguments to ${JSON.stringify(args)} before it ran]`
  return { ...outcome, text: `${note}\n${text}` }
}
