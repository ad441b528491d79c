import { ApplicationFailure, continueAsNew, workflowInfo } from '@temporalio/workflow'
import { shrink } from '../agent/conversation.js'
import { FAILURE, type RunFailureDetail } from '../contract/failures.js'
import type { RunInput, RunResult, RunState } from '../contract/run.js'
import { beginTurn, runState } from './run-agent.js'

/** A carried state above 2 MB fails the workflow task for ever; the rest is room for codecs. */
const MAX_CARRIED_BYTES = 1_500_000

/** The workflow behind every run: one agent, one question, as many executions as its history needs. */
export async function agent(input: RunInput): Promise<RunResult> {
  const state =
    'state' in input
      ? input.state
      : await beginTurn(input.agent, input.input, input.context ?? null)
  const end = await runState(state, () => workflowInfo().continueAsNewSuggested)
  if (end.kind === 'done') return end.result
  return await carryOn(state)
}

async function carryOn(state: RunState): Promise<never> {
  if (!shrink(state, MAX_CARRIED_BYTES)) {
    const { turn, step } = state
    const detail: RunFailureDetail = { reason: 'state_too_large', turn, step }
    throw ApplicationFailure.create({
      type: FAILURE.run,
      message: `state_too_large: the conversation is over ${MAX_CARRIED_BYTES} bytes without its observations, too much to continue as new.`,
      nonRetryable: true,
      details: [detail],
    })
  }
  return await continueAsNew<typeof agent>({ state })
}
