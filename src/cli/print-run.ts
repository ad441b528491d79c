import type { Step, StepCall } from '../client/history/step.js'
import { isObject, type JsonValue } from '../contract/json.js'
import type { RunResult } from '../contract/run.js'
import { shorten } from '../contract/text.js'
import { line, styled } from './terminal.js'

/** Characters of an observation that one line shows. */
const OBSERVATION_CHARS = 160

/** Prints steps as they change: a line a reply, a line a call. Each thing is printed once. */
export function stepPrinter(stream: NodeJS.WriteStream): (step: Step) => void {
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
    once(key, () => printReply(stream, step))
    step.calls.forEach((call, i) => {
      if (call.status !== 'running') once(`${key}.${i}`, () => printCall(stream, call))
    })
  }
}

/** Prints the end of a run: answer, stop reason, figures. */
export function printResult(stream: NodeJS.WriteStream, result: RunResult, seconds: number): void {
  const { answer, stopReason, steps, usage } = result
  const style = stopReason === 'answered' ? 'green' : 'yellow'
  const tokens =
    usage.uncountedCalls === usage.modelCalls ? 'tokens unknown' : `${usage.totalTokens} tokens`
  const figures = [`${steps} ${steps === 1 ? 'step' : 'steps'}`, tokens, `${seconds.toFixed(1)} s`]
  line(stream)
  line(stream, answer === '' ? styled(stream, 'dim', '(no answer)') : answer)
  line(stream)
  if (result.truncated)
    line(stream, styled(stream, 'yellow', 'cut at the token limit of the model'))
  line(stream, `${styled(stream, style, stopReason)} · ${figures.join(' · ')}`)
}

function printReply(stream: NodeJS.WriteStream, step: Step): void {
  const label = styled(stream, 'bold', `step ${step.step}`)
  const figures = [
    ...(step.tokens
      ? [`${step.tokens.promptTokens} + ${step.tokens.completionTokens} tokens`]
      : []),
    `${seconds(step.ms)}`,
    ...(step.attempts > 1 ? [`${step.attempts} attempts`] : []),
    ...(step.failedModels.length > 0
      ? [`${step.model} instead of ${step.failedModels.join(', ')}`]
      : []),
    ...(step.adapted.length > 0 ? [`without ${step.adapted.join(', ')}`] : []),
  ]
  line(stream, `${label} · ${describe(stream, step)} ${styled(stream, 'dim', figures.join(' · '))}`)
}

function describe(stream: NodeJS.WriteStream, step: Step): string {
  if (step.status === 'failed') return styled(stream, 'red', `model call failed: ${step.text}`)
  if (step.forced) return 'forced answer'
  if (step.calls.length === 0) return step.text.trim() === '' ? 'empty reply' : 'answer'
  return `${step.calls.length} ${step.calls.length === 1 ? 'call' : 'calls'}`
}

/** What stands in the place of the time of a call that was not run. */
const NOTES: Partial<Record<StepCall['status'], string>> = {
  refused: 'not run',
  cached: 'from the cache',
}

function printCall(stream: NodeJS.WriteStream, call: StepCall): void {
  const isGood = call.status === 'ok' || call.status === 'cached'
  const name = styled(stream, isGood ? 'cyan' : 'red', call.name)
  const note = NOTES[call.status] ?? seconds(call.ms)
  const tries = call.attempts > 1 ? ` · ${call.attempts} attempts` : ''
  line(stream, `  ${name}${inline(call.args)} ${styled(stream, 'dim', note + tries)}`)
  line(stream, styled(stream, 'dim', `    → ${oneLine(call.observation)}`))
}

function inline(args: JsonValue): string {
  if (!isObject(args)) return ''
  const fields = Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  return `(${shorten(fields.join(', '), OBSERVATION_CHARS)})`
}

function oneLine(text: string): string {
  return shorten(text.replace(/\s+/g, ' '), OBSERVATION_CHARS)
}

function seconds(ms: number | null): string {
  return `${((ms ?? 0) / 1000).toFixed(1)} s`
}
