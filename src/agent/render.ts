import { isObject, type JsonObject, type JsonValue } from '../contract/json.js'
import type { ToolManifest } from '../contract/manifest.js'
import type { RunState } from '../contract/run.js'
import { shorten } from '../contract/text.js'

/** What is readable on one line of the timeline. */
const SUMMARY_CHARS = 200
/** Current details must stay far below the 2 MB of a payload. */
const ANSWER_CHARS = 20_000

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
  const { manifest, usage, rows } = state
  const lines = [
    `**${manifest.agent}** · ${manifest.model} · at most ${manifest.limits.maxSteps} steps · ${usage.totalTokens} tokens`,
    '',
    '| step | what | tokens | seconds |',
    '| ---: | :--- | ---: | ---: |',
    ...rows.map(
      ({ step, what, tokens, ms }) =>
        `| ${step} | ${cell(what)} | ${tokens} | ${(ms / 1000).toFixed(1)} |`,
    ),
  ]
  if (end === null) return lines.join('\n')
  const answer = end.answer === '' ? [] : ['', shorten(end.answer, ANSWER_CHARS)]
  return [...lines, '', `**${end.reason}**`, ...answer].join('\n')
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
