import type { ToolOutcome } from '../contract/activities.js'
import type { AssistantMessage } from '../contract/messages.js'
import type { ModelReply } from '../contract/reply.js'
import type { RunResult, RunState } from '../contract/run.js'
import { endingFinish } from './ask-model.js'
import { append, assistantMessage, lastSaid, toolMessage } from './conversation.js'
import { modelOf } from './models.js'
import { keepRests } from './rests.js'
import { learnGrowth } from './sizes.js'
import { resultOf } from './state.js'
import { REPEAT_NOTE, recordStep } from './stop-rules/repeats.js'

const NUDGE = 'Your last reply was empty. Answer the question, or call a tool.'

/** What the reply holds decides, before the label that it carries. */
export function runsCalls(reply: ModelReply): boolean {
  return endingFinish(reply) === null && reply.calls.length > 0
}

/** Takes a reply without calls to run into the state; a result ends the turn. */
export function takeReply(state: RunState, reply: ModelReply): RunResult | null {
  const ended = endingFinish(reply)
  if (ended !== null) return resultOf(state, ended, textOrLast(state, reply))
  if (reply.text.trim() !== '') {
    append(state, assistantMessage(reply, state.turn, state.step), reply.size)
    // The user has said something more meanwhile: that wants an answer too.
    if (state.steering?.length) return null
    const result = resultOf(state, 'answered', reply.text)
    return reply.finish === 'length' ? { ...result, truncated: true } : result
  }
  if (state.nudged) return resultOf(state, 'empty_reply', lastSaid(state))
  state.nudged = true
  append(state, { role: 'user', kind: 'note', text: NUDGE })
  return null
}

/** Takes the calls of a step, with what came of them, into the state. */
export function takeOutcomes(
  state: RunState,
  { message, size }: { readonly message: AssistantMessage; readonly size?: number | undefined },
  outcomes: readonly ToolOutcome[],
): void {
  const finished = message.calls.map((call, i) => ({
    call,
    tool: state.manifest.tools.find(({ name }) => name === call.name),
    text: outcomes[i]?.text ?? '',
  }))
  const notes = recordStep(state, finished)
  // The reply and all of its observations enter together: nobody ever sees an unanswered call.
  append(state, message, size)
  for (const [i, { text }] of finished.entries()) {
    if (notes[i]) append(state, toolMessage(message, i + 1, text + REPEAT_NOTE))
    else append(state, toolMessage(message, i + 1, text), outcomes[i]?.size)
  }
  learnGrowth(state, 1 + outcomes.length)
  keepRests(state, outcomes)
  state.errorStreak = outcomes.every((outcome) => outcome.error) ? state.errorStreak + 1 : 0
}

/** What the model says now; if that is nothing, what it said last. */
export function textOrLast(state: RunState, { text }: ModelReply): string {
  return text.trim() === '' ? lastSaid(state) : text
}

export function describeReply(state: RunState, reply: ModelReply): string {
  return `${heldBy(reply)}${byFallback(state)}`
}

/** Which model answered, where it was not the agent's first. */
export function byFallback(state: RunState): string {
  return state.fallback ? ` · ${modelOf(state)}` : ''
}

function heldBy(reply: ModelReply): string {
  const ended = endingFinish(reply)
  if (ended !== null) return ended
  if (reply.calls.length === 0) return reply.text.trim() === '' ? 'empty reply' : 'answer'
  return reply.calls.map(({ name }) => name).join(', ')
}
