import type { Results, ScenarioResult, TargetResult } from '../results.js'
import { inUnit, ratioText, spreadText } from './numbers.js'

/** What was found, as Markdown tables: targets first. */
export function tables({ scenarios, targets }: Results): string {
  return [targetTable(targets), ...scenarios.map(scenarioTable)].join('\n\n')
}

function targetTable(targets: readonly TargetResult[]): string {
  const rows = targets.map(({ what, limit, value, verdict }) => [
    what,
    limit,
    value >= 1_000 ? value.toFixed(0) : value.toFixed(2),
    verdict === 'missed' ? `**${verdict}**` : verdict,
  ])
  return table(['target', 'limit', 'measured', ''], rows)
}

function scenarioTable({ title, rounds, figures }: ScenarioResult): string {
  const names = Object.keys(figures[0]?.stacks ?? {})
  const head = ['', ...names.flatMap((name, i) => (i === 0 ? [name] : [name, '× floor']))]
  const rows = figures.map(({ label, unit, stacks }) => [
    `${label}, ${unit}`,
    ...names.flatMap((name) => {
      const measured = stacks[name]
      if (measured === undefined) return ['', '']
      const value = spreadText(measured.spread, (one) => inUnit(one, unit))
      return measured.toFloor === null ? [value] : [value, `**${ratioText(measured.toFloor)}**`]
    }),
  ])
  return `## ${title}\n\nRounds: ${rounds}.\n\n${table(head, rows)}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
