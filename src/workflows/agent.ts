import { type ApplicationFailure, continueAsNew, workflowInfo } from '@temporalio/workflow'
import { shrink, utf8Length } from '../agent/conversation.js'
import { forkedState } from '../agent/fork.js'
import type { ForkInput } from '../contract/fork.js'
import { MAX_CONTEXT_BYTES } from '../contract/names.js'
import type { RunInput, RunResult, RunState } from '../contract/run.js'
import { isHistoryFull, isHistoryLong, MAX_CARRIED_BYTES } from './history-length.js'
import { beginTurn, runState } from './run-agent.js'
import { runError } from './run-error.js'
import { upsertStart } from './search-attributes.js'

/** The workflow behind every run: one agent, one question, as many executions as its history needs. */
export async function agent(input: RunInput): Promise<RunResult> {
  const state = await firstState(input)
  const end = await runState(state, () => isDue(state))
  if (end.kind === 'done') return end.result
  if (isCarriable(state)) return await continueAsNew<typeof agent>({ state })
  const message = `the conversation is over ${MAX_CARRIED_BYTES} bytes without its observations, too much to continue as new`
  throw runError('state_too_large', message, state)
}

/** A state that is too large to be carried goes on where it is, until the server would end the run. */
function isDue(state: RunState): boolean {
  return isHistoryLong() && (isCarriable(state) || isHistoryFull())
}

function isCarriable(state: RunState): boolean {
  return shrink(state, MAX_CARRIED_BYTES)
}

/** A caller in any language may start this workflow: what it sends is checked before it is used. */
async function firstState(input: RunInput | null | undefined): Promise<RunState> {
  if (typeof input !== 'object' || input === null) throw badInput()
  if ('state' in input) {
    if (!isState(input.state)) throw badInput()
    return input.state
  }
  if ('fork' in input) {
    if (!isFork(input.fork)) throw badInput()
    const state = forkedState(input.fork, workflowInfo().firstExecutionRunId)
    upsertStart(state)
    return state
  }
  const { agent: name, input: text, context } = input
  if (typeof name !== 'string' || typeof text !== 'string') throw badInput()
  if (utf8Length(JSON.stringify(context ?? null)) > MAX_CONTEXT_BYTES) throw badInput()
  return await beginTurn(name, text, context ?? null)
}

/** What only a run of this workflow writes; a caller has no reason to send it. */
function isState(state: RunState | null | undefined): boolean {
  return (
    typeof state?.manifest?.agent === 'string' &&
    Array.isArray(state.messages) &&
    typeof state.step === 'number' &&
    typeof state.digest === 'string'
  )
}

/** What only `fork` of the client writes. */
function isFork(fork: Partial<ForkInput['fork']> | null | undefined): fork is ForkInput['fork'] {
  return (
    isState(fork?.state) &&
    Array.isArray(fork?.state?.rows) &&
    typeof fork?.from?.id === 'string' &&
    typeof fork.from.step === 'number' &&
    ['undefined', 'object'].includes(typeof fork.dry) &&
    fork.dry !== null
  )
}

function badInput(): ApplicationFailure {
  const message = `the input must be {"agent": string, "input": string, "context"?: object of ${MAX_CONTEXT_BYTES} bytes at most}`
  return runError('definition_error', message, { turn: 0, step: 0 })
}
