import type { RepeatedCall, RetryPlan } from '../client/retry/retry-plan.js'
import { callText } from './call-text.js'
import { line, styled } from './terminal.js'

/** What a write that is made again may do. */
const KEY = 'with the idempotency key that it had'
const NO_PROMISE = `${KEY}; the tool does not say that it heeds it`

/** Prints what a retry would do. */
export function printPlan(stream: NodeJS.WriteStream, { id, why, step, again }: RetryPlan): void {
  line(stream, `run ${id} ended: ${styled(stream, 'red', why)}`)
  const from =
    step === 0 ? 'before its first step: its definition is read again' : `at step ${step}`
  const what = again.length === 0 ? 'No call is made again.' : 'Made again:'
  line(stream, `It goes on ${from}. ${what}`)
  for (const call of again) printRepeated(stream, call)
}

function printRepeated(stream: NodeJS.WriteStream, call: RepeatedCall): void {
  const { kind, name, args, was, idempotent } = call
  const what = args === null ? name : callText(name, args)
  const state = was === 'done' ? 'was done' : was === 'open' ? 'was under way' : 'failed'
  const note = kind === 'write' ? ` · ${idempotent ? KEY : NO_PROMISE}` : ''
  const isRisk = kind === 'write' && !idempotent
  const label = styled(stream, isRisk ? 'yellow' : 'bold', kind.padEnd(5))
  line(stream, `  ${label}  ${what} ${styled(stream, 'dim', `· ${state}${note}`)}`)
}
