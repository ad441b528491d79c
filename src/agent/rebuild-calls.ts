import { runTurn } from './loop.js'
import type { RebuiltCall } from './rebuild.js'
import { RebuildError } from './rebuild-error.js'
import { recordedEffects } from './recorded-effects.js'
import { beginOf, placeKey, type RunRecord } from './run-record.js'
import { startState } from './state.js'

/**
 * Visits each model call of a run with the state at that moment, in one pass over the record. The state
 * changes after the visit. Ends where the record does, and where today's loop builds another conversation.
 */
export async function visitCalls(
  { executions }: RunRecord,
  visit: (call: RebuiltCall) => void,
): Promise<void> {
  for (const [i, execution] of executions.entries()) {
    const { start } = execution
    const state = structuredClone('state' in start ? start.state : startState(start))
    const next = executions[i + 1]
    const effects = recordedEffects(execution, state)
    try {
      await runTurn(state, {
        ...effects,
        callModel: async (input) => {
          const [recorded] = execution.modelCalls.get(placeKey(input)) ?? []
          if (recorded?.input.digest === input.digest) visit({ state, input })
          return await effects.callModel(input)
        },
        shouldContinue: () => next !== undefined && state.step >= beginOf(next).step,
        report: () => {},
      })
    } catch (error) {
      if (!(error instanceof RebuildError)) throw error
    }
  }
}
