import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentClient } from '../../src/client.js'
import type { FailureReason, StopReason } from '../../src/contract/run.js'
import { type RunFigures, runFigures } from '../kit/run-figures.js'
import type { PlannedRun } from './agents.js'

/** A run that takes longer is stuck. */
const BOUND_MS = 5 * 60_000

const NAMED: Readonly<Record<StopReason | FailureReason, true>> = {
  answered: true,
  interrupted: true,
  max_steps: true,
  repeats: true,
  tool_errors: true,
  token_budget: true,
  cost_budget: true,
  deadline: true,
  refusal: true,
  content_filter: true,
  empty_reply: true,
  context_length: true,
  model_error: true,
  tool_failure: true,
  definition_error: true,
  state_too_large: true,
}

/** What became of one run. */
export interface TrialRow extends PlannedRun {
  /** The reason; 'stuck', or an error's text, where there was none. */
  readonly end: string
  /** True when it ended with one of perdure's reasons, and with no workflow task failure. */
  readonly honest: boolean
  readonly figures: RunFigures | null
  readonly seconds: number
}

/** Makes one run and waits for its end, for 5 minutes at most. */
export async function tryRun(client: AgentClient, planned: PlannedRun): Promise<TrialRow> {
  const started = Date.now()
  const run = await client.start(planned.agent.name, { input: planned.input })
  const end = await Promise.race([
    runFigures(client, run.id).catch((error: unknown) => String(error)),
    sleep(BOUND_MS, 'stuck', { ref: false }),
  ])
  const seconds = (Date.now() - started) / 1_000
  if (typeof end === 'string') {
    await run.cancel()
    return { ...planned, end, honest: false, figures: null, seconds }
  }
  const honest = end.end in NAMED && end.workflowTaskFailures === 0
  return { ...planned, end: end.end, honest, figures: end, seconds }
}

const COLUMNS =
  'run|dialect|end|steps|calls ok/error/refused|tokens|seconds|attempts|answer, or why there is none'

/** The head of the table. */
export function tableHead(): string {
  const names = COLUMNS.split('|')
  return `| ${names.join(' | ')} |\n|${names.map(() => '---').join('|')}|`
}

/** One run as a row of the table. */
export function tableRow(number: number, { agent, end, figures, seconds }: TrialRow): string {
  const steps = figures?.steps ?? []
  const calls = steps.flatMap((step) => step.calls)
  const count = (status: string) => calls.filter((call) => call.status === status).length
  const tokens = steps.flatMap((step) =>
    step.tokens === null ? [] : [step.tokens.promptTokens + step.tokens.completionTokens],
  )
  const cells = [
    number,
    agent.name,
    end,
    steps.length,
    `${count('ok')}/${count('error')}/${count('refused')}`,
    // A server that streams need not count.
    tokens.length === 0 ? 'not told' : tokens.reduce((sum, each) => sum + each, 0),
    seconds.toFixed(1),
    figures?.attempts ?? '?',
    beginning(figures?.text ?? ''),
  ]
  return `| ${cells.join(' | ')} |`
}

/** Counts of the runs by reason, most frequent first. */
export function countEnds(rows: readonly TrialRow[]): string {
  const counts = new Map<string, number>()
  for (const { end } of rows) counts.set(end, (counts.get(end) ?? 0) + 1)
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a)
  return sorted.map(([end, count]) => `${count} ${end}`).join(', ')
}

function beginning(text: string): string {
  // The id of a failed run says nothing about it.
  const told = text.replace(/^Run "[^"]*" /, '').replaceAll(/[\s|]+/g, ' ')
  const chars = [...told.trim()]
  return chars.length <= 60 ? chars.join('') : `${chars.slice(0, 60).join('')}…`
}
