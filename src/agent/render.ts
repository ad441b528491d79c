import type { Fork } from '../contract/fork.js'
import { isObject, type JsonObject, type JsonValue } from '../contract/json.js'
import type { ToolManifest } from '../contract/manifest.js'
import { costOfUsage, dollars } from '../contract/price.js'
import type { RunState } from '../contract/run.js'
import { shorten } from '../contract/text.js'
import { costOf } from './cost.js'
import { pendingRequests } from './requests.js'

/** What is readable on one line of the timeline. */
const SUMMARY_CHARS = 200
/** Current details must stay far below the 2 MB of a payload. */
const ANSWER_CHARS = 20_000
/** An em space: the UI draws tables without room between their columns. */
const GAP = '\u2003'

/** The line beside a tool call in the Temporal UI, such as `step 2 · {orderId: "A1001"}`. */
export function callSummary(step: number, args: JsonObject, tool: ToolManifest): string {
  return summary(`step ${step} · ${inline(args, tool.sensitive)}`)
}

/** The line beside a model call that is no step, such as `strategy · gpt-4o-mini`. */
export function asideSummary(what: string, model: string): string {
  return summary(`${what} · ${model}`)
}

/** The line beside a model call in the Temporal UI, such as `step 2 · gpt-4o-mini`. */
export function modelSummary(step: number, model: string, forced: boolean): string {
  return summary(`step ${step} · ${model}${forced ? ' · forced answer' : ''}`)
}

/** How a run ended, for the details of the run. */
export interface RunEnd {
  readonly reason: string
  readonly answer: string
}

/** The Markdown that the Temporal UI shows as the current details of a run. */
export function currentDetails(state: RunState, end: RunEnd | null): string {
  const lines = [
    headline(state),
    ...forkLines(state.fork),
    ...modelLines(state),
    ...waitingLines(state),
    '',
    `| step${GAP} | what | ${GAP}tokens | ${GAP}seconds |`,
    '| ---: | :--- | ---: | ---: |',
    ...state.rows.map(
      ({ step, what, tokens, ms }) =>
        `| ${step}${GAP} | ${cell(what)} | ${GAP}${tokens} | ${GAP}${(ms / 1000).toFixed(1)} |`,
    ),
  ]
  if (end === null) return lines.join('\n')
  const answer = end.answer === '' ? [] : ['', shorten(end.answer, ANSWER_CHARS)]
  return [...lines, '', `**${end.reason}**`, ...answer].join('\n')
}

function headline(state: RunState): string {
  const { manifest, usage } = state
  const costUsd = costOf(state)
  const figures = [
    `at most ${manifest.limits.maxSteps} steps`,
    `${usage.totalTokens} tokens`,
    ...(costUsd === null ? [] : [dollars(costUsd)]),
  ]
  return `**${manifest.agent}** · ${manifest.model} · ${figures.join(' · ')}`
}

/** What each model used, where more than one did: of one the headline tells. */
function modelLines({ manifest, usageByModel = {} }: RunState): string[] {
  const models = Object.entries(usageByModel)
  if (models.length < 2) return []
  const lines = models.map(([model, usage]) => {
    const costUsd = costOfUsage(manifest, { [model]: usage })
    const calls = `${usage.modelCalls} ${usage.modelCalls === 1 ? 'call' : 'calls'}`
    const cost = costUsd === null ? '' : `, ${dollars(costUsd)}`
    return `- ${model}: ${calls}, ${usage.promptTokens} + ${usage.completionTokens} tokens${cost}`
  })
  return ['', ...lines]
}

function forkLines(fork: Fork | undefined): string[] {
  if (fork === undefined) return []
  const { from, dry } = fork
  const writes = dry === undefined ? '' : ' · tools that write are not run'
  return ['', `forked from **${cell(from.id)}** before step ${from.step}${writes}`]
}

/** What a person must say, with the id by which it is said. */
function waitingLines(state: RunState): string[] {
  const requests = pendingRequests(state)
  if (requests.length === 0) return []
  const lines = requests.map(({ kind, id, tool, args, text }) => {
    const { sensitive = [] } = state.manifest.tools.find(({ name }) => name === tool) ?? {}
    const call = kind === 'question' ? cell(text) : cell(`${tool} ${inline(args, sensitive)}`)
    const why = kind === 'question' || text === '' ? '' : ` · ${cell(text)}`
    const what = kind === 'question' ? 'waits for an answer' : 'waits for approval'
    return `- **${what}** (${id}): ${call}${why}`
  })
  return ['', ...lines]
}

/** One line of text, safe inside a Markdown table. */
function cell(text: string): string {
  return shorten(text, SUMMARY_CHARS).replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function summary(line: string): string {
  return shorten(line, SUMMARY_CHARS)
}

/** JavaScript-like notation: the quotes around keys are noise on a timeline. */
function inline(value: JsonValue, sensitive: readonly string[]): string {
  if (Array.isArray(value)) return `[${value.map((item) => inline(item, sensitive)).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, inner]) =>
    sensitive.includes(key) ? `${key}: •••` : `${key}: ${inline(inner, sensitive)}`,
  )
  return `{${fields.join(', ')}}`
}
