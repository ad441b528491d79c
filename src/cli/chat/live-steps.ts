import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionHandle } from '../../client/session/session-handle.js'
import { stepPrinter } from '../print-run.js'
import { line, styled } from '../terminal.js'

/** The steps of a session, shown as they happen. */
export interface LiveSteps {
  /** Resolves when the last step of a turn is shown; they come from the history, a moment after the answer. */
  untilShown(turn: number): Promise<void>
}

/** Milliseconds that the steps of a turn may still take once its answer is there. */
const STEPS_MS = 2_000
const LOOK_MS = 20

/** Shows steps from a turn on, until the signal aborts. Never fails: the answers tell what went wrong. */
export function showSteps(
  session: SessionHandle,
  out: NodeJS.WriteStream,
  { from, signal }: { readonly from: number; readonly signal: AbortSignal },
): LiveSteps {
  const print = stepPrinter(out, { asksItself: true })
  let shown = 0
  const watch = async () => {
    for await (const step of session.watch({ signal })) {
      if (step.turn < from) continue
      print(step)
      if (step.status === 'done' && step.calls.length === 0) shown = step.turn
    }
  }
  watch().catch(() => {
    if (!signal.aborted) line(out, styled(out, 'dim', '(the steps cannot be read at the moment)'))
  })
  return {
    untilShown: async (turn) => {
      const until = Date.now() + STEPS_MS
      while (shown < turn && Date.now() < until && !signal.aborted) await sleep(LOOK_MS)
    },
  }
}
