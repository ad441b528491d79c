import { defineQuery } from '@temporalio/workflow'
import { utf8Length } from '../agent/conversation.js'
import { costOf } from '../agent/cost.js'
import { pendingRequests } from '../agent/requests.js'
import { QUERY } from '../contract/names.js'
import type { PromptPage, PromptRequest, RunProgress, RunState } from '../contract/run.js'

/** Bytes of JSON in one page at most: Temporal refuses a query result above 2 MB (measured: 2.05 MB). */
const PAGE_BYTES = 1_500_000

/** Asked by `callModel` when its worker does not have the conversation. Writes nothing to the history. */
export const promptQuery = defineQuery<PromptPage, [PromptRequest]>(QUERY.prompt)

/** Asked by clients: how far the run is. */
export const statusQuery = defineQuery<RunProgress>(QUERY.status)

/**
 * One page of a turn's conversation; stale when the run is at another step by now. What precedes a step,
 * such as the choice of a strategy, asks for that one.
 */
export function answerPrompt(state: RunState | null, { step, from }: PromptRequest): PromptPage {
  if (!state || (state.step !== step && state.step + 1 !== step)) return { kind: 'stale' }
  let bytes = from === 0 ? utf8Length(JSON.stringify(state.manifest)) : 0
  let to = from
  for (; to < state.messages.length; to++) {
    bytes += utf8Length(JSON.stringify(state.messages[to]))
    // One message always fits, or the reader would never get on.
    if (bytes > PAGE_BYTES && to > from) break
  }
  return {
    kind: 'page',
    manifest: from === 0 ? state.manifest : null,
    ...(from === 0 ? { context: state.context } : {}),
    messages: state.messages.slice(from, to),
    next: to < state.messages.length ? to : null,
  }
}

/** How far a run is. */
export function progressOf(state: RunState): RunProgress {
  const { manifest, step, usage } = state
  return {
    agent: manifest.agent,
    model: manifest.model,
    step,
    usage,
    costUsd: costOf(state),
    waitingFor: pendingRequests(state),
  }
}
