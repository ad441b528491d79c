import type { JsonValue } from '../contract/json.js'
import { shorten } from '../contract/text.js'
import type { Drift } from '../replay/drift.js'
import type { PromptSize } from '../replay/prompt-sizes.js'
import type { RunReplay } from '../replay/replay-run.js'
import type { Command, Verdict } from '../replay/verdict.js'
import { counted } from './figures.js'
import type { PrintOptions } from './print-run.js'
import { transcriptPrinter } from './print-transcript.js'
import { line, styled } from './terminal.js'
import { textDiff } from './text-diff.js'

/** Characters of a value in a drift; a text with lines is compared line by line. */
const VALUE_CHARS = 100

/** Prints a replay: the run as it happened, why it ended, the verdict, and what changed since. */
export function printReplay(stream: NodeJS.WriteStream, replay: RunReplay): void {
  const { events, executions, loopVersion, end } = replay
  printSteps(stream, replay, {})
  line(stream)
  if (end.result !== null && end.result.answer !== '') line(stream, `${end.result.answer}\n`)
  line(stream, styled(stream, end.reason === 'answered' ? 'green' : 'yellow', end.text))
  const facts = [
    `${events} events${executions > 1 ? ` in ${executions} executions` : ''}`,
    `loop ${loopVersion ?? '(not recorded)'}`,
  ]
  line(stream, styled(stream, 'dim', facts.join(' · ')))
  printVerdict(stream, replay)
  printDrift(stream, replay)
}

/** Prints a run up to its last step, each step with how much the model was asked. */
export function printSteps(
  stream: NodeJS.WriteStream,
  replay: RunReplay,
  options: PrintOptions,
): void {
  const { id, steps, asides } = replay
  const print = transcriptPrinter(stream, { ...options, id })
  print.open(replay)
  for (const step of steps) {
    const before = asides.filter((aside) => aside.turn === step.turn && aside.step === step.step)
    for (const aside of before) print.change({ kind: 'aside', aside }, replay)
    if (step.prompt !== null) line(stream, styled(stream, 'dim', promptText(step.prompt)))
    print.change({ kind: 'step', step }, replay)
    if (step.status === 'calling_model') line(stream, `step ${step.step} · the model did not reply`)
  }
}

function promptText({ messages, chars }: PromptSize): string {
  return `prompt of ${counted(messages, 'message')}, ${chars} characters`
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
