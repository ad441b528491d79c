import type { Aside } from '../client/history/aside.js'
import type { TranscriptChange } from '../client/history/step-reader.js'
import type { Opening, Transcript } from '../client/history/transcript.js'
import type { PendingActivity } from '../client/pending-activity.js'
import { counted, seconds, spent, totalTokens } from './figures.js'
import { type PrintOptions, printCause, stepPrinter, textOf } from './print-run.js'
import { line, styled } from './terminal.js'

/** Prints a run as it goes: what it was asked, then steps and asides, each once. */
export function transcriptPrinter(
  stream: NodeJS.WriteStream,
  options: PrintOptions & { readonly id: string },
) {
  const printStep = stepPrinter(stream, options)
  const turnsWithStrategy = new Set<number>()
  let isOpen = false
  const open = (opening: Opening): void => {
    if (!isOpen) printOpening(stream, opening, options.id)
    isOpen = true
  }
  const change = (changed: TranscriptChange, opening: Opening): void => {
    open(opening)
    if (changed.kind === 'aside') {
      const { aside } = changed
      if (aside.status === 'running') return
      if (aside.kind === 'strategy') turnsWithStrategy.add(aside.turn)
      printAside(stream, aside, options)
      return
    }
    const { step } = changed
    // Told already, with its figures.
    printStep(turnsWithStrategy.has(step.turn) ? { ...step, strategy: null } : step)
  }
  return { open, change }
}

/** Prints what the models of a run used, a line each. */
export function printUsage(stream: NodeJS.WriteStream, transcript: Transcript): void {
  for (const [model, usage] of Object.entries(transcript.usageByModel)) {
    const isCounted = usage.uncountedCalls < usage.modelCalls
    const costUsd = costOfModel(transcript, model)
    const figures = [
      counted(usage.modelCalls, 'model call'),
      ...(isCounted ? spent(usage, costUsd) : [totalTokens(usage)]),
      ...(isCounted && usage.uncountedCalls > 0 ? [`${usage.uncountedCalls} not counted`] : []),
    ]
    line(stream, styled(stream, 'dim', `  ${model || 'model'}: ${figures.join(' · ')}`))
  }
}

/** Prints what an open run is waiting for. */
export function printPending(
  stream: NodeJS.WriteStream,
  pending: readonly PendingActivity[],
): void {
  for (const { type, state, attempt, lastFailure, nextAttemptAt } of pending) {
    const at = nextAttemptAt === null ? '' : `, at ${nextAttemptAt.toISOString()}`
    const what = {
      running: `attempt ${attempt} is running`,
      waiting_for_worker: 'no worker has taken it yet',
      waiting_to_retry: `attempt ${attempt} comes next${at}`,
    }[state]
    line(stream, `  ${type}: ${what}`)
    printCause(stream, lastFailure)
  }
}

function printOpening(
  stream: NodeJS.WriteStream,
  { agent, model, question }: Opening,
  id: string,
): void {
  const names = [styled(stream, 'bold', agent || 'agent'), ...(model === '' ? [] : [model]), id]
  line(stream, names.join(' · '))
  if (question !== null) line(stream, question)
  line(stream)
}

function printAside(stream: NodeJS.WriteStream, aside: Aside, options: PrintOptions): void {
  const tries = aside.attempts > 1 ? [`${aside.attempts} attempts`] : []
  const figures = [...spent(aside.tokens, aside.costUsd), seconds(aside.ms), ...tries]
  const what = aside.kind === 'strategy' ? strategy(aside) : memory(aside)
  line(stream, styled(stream, 'dim', `${what} ${figures.join(' · ')}`))
  printCause(stream, aside.retryCause)
  if (aside.kind === 'summary' && aside.status === 'done' && aside.text !== '') {
    line(stream, styled(stream, 'dim', `    → ${textOf(aside.text, '      ', options)}`))
  }
}

function strategy({ status, text }: Aside): string {
  if (status === 'failed') return `strategy: none (the choice failed: ${text})`
  return `strategy: ${text === '' ? 'none' : text}`
}

function memory({ status, text, messages }: Aside): string {
  const what = counted(messages, 'message')
  if (status === 'failed') return `memory: ${what} left out, no summary (${text})`
  return `memory: ${what} ${text === '' ? 'left out, the summary was empty' : 'summarised'}`
}

/** The sum of a model's calls, where each has a price. */
function costOfModel({ steps, asides }: Transcript, model: string): number | null {
  const calls = [...steps, ...asides].filter((call) => call.model === model && call.tokens !== null)
  return calls.reduce<number | null>(
    (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
    0,
  )
}
