import type { Step, StepCall } from '../client/history/step.js'
import { ASK_USER } from '../contract/ask-user.js'
import { callId } from '../contract/messages.js'
import { dollars } from '../contract/price.js'
import type { RunResult } from '../contract/run.js'
import { shorten } from '../contract/text.js'
import { callText } from './call-text.js'
import { counted, seconds, spent, totalTokens } from './figures.js'
import { line, styled } from './terminal.js'

/** Characters of an observation that one line shows. */
const OBSERVATION_CHARS = 160

/** How much of long texts is printed. */
export interface PrintOptions {
  /** True: all of it. @default false: the beginning, on one line */
  readonly full?: boolean
  /** True: whoever prints asks about calls that wait for a person. @default false: they are told */
  readonly asksItself?: boolean
}

/** Prints steps as they change: a line a reply, a line a call. Each thing is printed once. */
export function stepPrinter(
  stream: NodeJS.WriteStream,
  options: PrintOptions = {},
): (step: Step) => void {
  const printed = new Set<string>()
  const once = (key: string, print: () => void): void => {
    if (printed.has(key)) return
    printed.add(key)
    print()
  }
  return (step) => {
    const { strategy } = step
    if (strategy !== null) {
      once(`${step.turn} strategy`, () =>
        line(stream, styled(stream, 'dim', `strategy: ${strategy}`)),
      )
    }
    if (step.status === 'calling_model') return
    const key = `${step.turn}.${step.step}`
    once(key, () => printReply(stream, step, options))
    step.calls.forEach((call, i) => {
      if (call.status === 'running') return
      if (call.status !== 'waiting') once(`${key}.${i}`, () => printCall(stream, call, options))
      else if (!options.asksItself) {
        const id = callId(step.turn, step.step, i + 1)
        once(`${key}.${i}.waiting`, () => printWaiting(stream, call, id))
      }
    })
  }
}

/** Prints the end of a run: answer, stop reason, figures. */
export function printResult(stream: NodeJS.WriteStream, result: RunResult, took: number): void {
  const { answer, stopReason, steps, usage, costUsd } = result
  const style = stopReason === 'answered' ? 'green' : 'yellow'
  const figures = [
    counted(steps, 'step'),
    totalTokens(usage),
    ...(costUsd === undefined ? [] : [dollars(costUsd)]),
    seconds(took * 1000),
  ]
  line(stream)
  line(stream, answer === '' ? styled(stream, 'dim', '(no answer)') : answer)
  line(stream)
  if (result.truncated)
    line(stream, styled(stream, 'yellow', 'cut at the token limit of the model'))
  line(stream, `${styled(stream, style, stopReason)} · ${figures.join(' · ')}`)
}

function printReply(stream: NodeJS.WriteStream, step: Step, options: PrintOptions): void {
  if (step.dropped > 0) {
    const what = `memory: the ${counted(step.dropped, 'oldest message')} left out`
    line(stream, styled(stream, 'dim', what))
  }
  const label = styled(stream, 'bold', `step ${step.step}`)
  const figures = [
    ...spent(step.tokens, step.costUsd),
    seconds(step.ms),
    ...(step.attempts > 1 ? [`${step.attempts} attempts`] : []),
    ...(step.failedModels.length > 0
      ? [`${step.model} instead of ${step.failedModels.join(', ')}`]
      : []),
    ...(step.adapted.length > 0 ? [`without ${step.adapted.join(', ')}`] : []),
  ]
  line(stream, `${label} · ${describe(stream, step)} ${styled(stream, 'dim', figures.join(' · '))}`)
  printCause(stream, step.retryCause)
  // What is said beside calls; an answer is printed at the end.
  if (step.status !== 'failed' && step.calls.length > 0 && step.text.trim() !== '') {
    line(stream, styled(stream, 'dim', `  ${textOf(step.text.trim(), '  ', options)}`))
  }
}

/** Why there was more than one attempt. */
export function printCause(stream: NodeJS.WriteStream, cause: string | null): void {
  if (cause === null) return
  line(stream, styled(stream, 'yellow', `    tried again after: ${textOf(cause, '', {})}`))
}

function describe(stream: NodeJS.WriteStream, step: Step): string {
  if (step.status === 'failed') return styled(stream, 'red', `model call failed: ${step.text}`)
  switch (step.finish) {
    case 'context_length':
      return 'prompt too long for the model'
    case 'refusal':
      return 'refused'
    case 'content_filter':
      return 'stopped by a content filter'
    case 'length':
      return `${held(step)}, cut at the token limit`
    default:
      return held(step)
  }
}

function held(step: Step): string {
  if (step.forced) return 'forced answer'
  if (step.calls.length === 0) return step.text.trim() === '' ? 'empty reply' : 'answer'
  return counted(step.calls.length, 'call')
}

/** What stands in the place of the time of a call that was not run. */
const NOTES: Partial<Record<StepCall['status'], string>> = {
  refused: 'not run',
  cached: 'from the cache',
  dry: 'not run in a fork',
  denied: 'not run',
}

function printWaiting(
  stream: NodeJS.WriteStream,
  { name, args, observation }: StepCall,
  id: string,
): void {
  const what = name === ASK_USER ? 'waits for an answer' : 'waits for approval'
  const why = observation === '' || name === ASK_USER ? '' : ` · ${observation}`
  const hint = styled(stream, 'dim', `(perdure approve … ${id})`)
  line(stream, `  ${styled(stream, 'yellow', what)} ${callText(name, args)}${why} ${hint}`)
}

/** Who decided on a call, and what. */
function decided({ decision }: StepCall): string[] {
  if (decision === undefined) return []
  const by = decision.by === null ? '' : ` by ${decision.by}`
  const changes = decision.kind === 'approved' && decision.args !== undefined
  return [
    `${decision.kind}${by}`,
    ...(changes ? [`with ${callText('', decision.args ?? {})}`] : []),
  ]
}

function printCall(stream: NodeJS.WriteStream, call: StepCall, options: PrintOptions): void {
  const isGood = !['denied', 'error', 'refused'].includes(call.status)
  const name = styled(stream, isGood ? 'cyan' : 'red', call.name)
  const note = [NOTES[call.status] ?? seconds(call.ms), ...decided(call)].join(' · ')
  const tries = call.attempts > 1 ? ` · ${call.attempts} attempts` : ''
  line(
    stream,
    `  ${name}${callText('', call.args, options.full)} ${styled(stream, 'dim', note + tries)}`,
  )
  printCause(stream, call.retryCause)
  line(stream, styled(stream, 'dim', `    → ${textOf(call.observation, '      ', options)}`))
}

/** A text on one line, or all of its lines below each other. */
export function textOf(text: string, indent: string, { full }: PrintOptions): string {
  return full
    ? text.replaceAll('\n', `\n${indent}`)
    : shorten(text.replace(/\s+/g, ' '), OBSERVATION_CHARS)
}
