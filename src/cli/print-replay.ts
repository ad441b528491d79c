import type { JsonValue } from '../contract/json.js'
import { shorten } from '../contract/text.js'
import type { Drift } from '../replay/drift.js'
import type { PromptSize } from '../replay/prompt-sizes.js'
import type { RecordedStep } from '../replay/read-run.js'
import type { RunReplay } from '../replay/replay-run.js'
import type { Command, Verdict } from '../replay/verdict.js'
import { stepPrinter } from './print-run.js'
import { line, styled } from './terminal.js'
import { textDiff } from './text-diff.js'

/** Characters of a value in a drift; a text with lines is compared line by line. */
const VALUE_CHARS = 100

/** Prints a replay: the run as it happened, why it ended, the verdict, and what changed since. */
export function printReplay(stream: NodeJS.WriteStream, replay: RunReplay): void {
  const { id, agent, model, events, executions, loopVersion, steps, end } = replay
  const facts = [
    ...(agent === '' ? [] : [agent, model]),
    `loop ${loopVersion ?? '(not recorded)'}`,
    `${events} events${executions > 1 ? ` in ${executions} executions` : ''}`,
  ]
  line(stream, `${styled(stream, 'bold', id)} ${styled(stream, 'dim', facts.join(' · '))}`)
  printSteps(stream, steps)
  line(stream)
  if (end.result !== null && end.result.answer !== '') line(stream, `${end.result.answer}\n`)
  line(stream, styled(stream, end.reason === 'answered' ? 'green' : 'yellow', end.text))
  printVerdict(stream, replay)
  printDrift(stream, replay)
}

/** Prints steps, each with how much the model was asked. */
export function printSteps(stream: NodeJS.WriteStream, steps: readonly RecordedStep[]): void {
  const print = stepPrinter(stream)
  for (const step of steps) {
    if (step.prompt !== null) line(stream, styled(stream, 'dim', promptText(step.prompt)))
    print(step)
    if (step.status === 'calling_model') line(stream, `step ${step.step} · the model did not reply`)
  }
}

function promptText({ messages, chars }: PromptSize): string {
  const count = `${messages} ${messages === 1 ? 'message' : 'messages'}`
  return `prompt of ${count}, ${chars} characters`
}

/** Prints what history and code say of each other. */
export function printVerdict(stream: NodeJS.WriteStream, { verdict }: RunReplay): void {
  const style = verdict.kind === 'deterministic' ? 'green' : 'red'
  line(stream, styled(stream, style, verdictText(verdict)))
  if (verdict.kind !== 'deterministic' && verdict.at.length > 0) {
    line(stream, `  in ${verdict.at.join(' ← ')}`)
  }
}

/** A verdict in one line. */
function verdictText(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'deterministic':
      return 'deterministic'
    case 'code_error':
      return `today's workflow code throws: ${verdict.message}`
    case 'diverged': {
      const { event, recorded, wanted, message } = verdict
      if (event === null && wanted === null) return `diverged: ${message}`
      const where = event === null ? 'after the last event' : `at event ${event.id} (${event.type})`
      return `diverged ${where}: recorded is ${commandText(recorded)}, today's code makes ${commandText(wanted)}`
    }
  }
}

function commandText(command: Command | null): string {
  if (command === null) return 'nothing'
  const { kind, name } = command
  return name === '' ? kind : `${kind} "${name}"`
}

function printDrift(stream: NodeJS.WriteStream, { drift, agent }: RunReplay): void {
  if (drift === null) return
  if (drift.length === 0) {
    line(stream, `the definition of ${agent} is what it was`)
    return
  }
  line(stream, styled(stream, 'yellow', `the definition of ${agent} differs today:`))
  for (const one of drift) printOne(stream, one)
}

function printOne(stream: NodeJS.WriteStream, { path, recorded, now }: Drift): void {
  if (typeof recorded !== 'string' || typeof now !== 'string' || isShort(recorded, now)) {
    line(stream, `  ${path}: ${value(recorded)} → ${value(now)}`)
    return
  }
  line(stream, `  ${path}`)
  for (const { mark, text } of textDiff(recorded, now)) {
    const style = mark === '-' ? 'red' : mark === '+' ? 'green' : 'dim'
    line(stream, styled(stream, style, `    ${mark} ${text}`))
  }
}

function isShort(...texts: readonly string[]): boolean {
  return texts.every((text) => text.length <= VALUE_CHARS / 2 && !text.includes('\n'))
}

function value(json: JsonValue | undefined): string {
  return json === undefined ? '(none)' : shorten(JSON.stringify(json), VALUE_CHARS)
}
