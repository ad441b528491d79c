import type { Results, ScenarioResult, TargetResult } from '../results.js'
import { inUnit, ratioText, spreadText } from './numbers.js'
import { wrap } from './wrap.js'

/** What was found, as Markdown tables: targets first. */
export function tables({ scenarios, targets }: Pick<Results, 'scenarios' | 'targets'>): string {
  return [targetTable(targets), ...scenarios.map(scenarioTable)].join('\n\n')
}

function targetTable(targets: readonly TargetResult[]): string {
  const rows = targets.map(({ what, limit, value, verdict }) => [
    what,
    limit,
    targetValue(value),
    verdict === 'missed' ? `**${verdict}**` : verdict,
  ])
  return table(['target', 'limit', 'measured', ''], rows)
}

function targetValue(value: number): string {
  if (Number.isNaN(value)) return 'not measured'
  return Number.isInteger(value) || value >= 100 ? value.toFixed(0) : value.toFixed(2)
}

function scenarioTable({ title, note, rounds, base, figures }: ScenarioResult): string {
  const names = Object.keys(figures[0]?.subjects ?? {})
  const hasRatios = (name: string) => figures.some(({ subjects }) => subjects[name]?.toBase)
  const columns = names.flatMap((name) => (hasRatios(name) ? [name, `× ${base}`] : [name]))
  const rows = figures.map(({ label, unit, subjects }) => [
    unit === '' || unit === 'ratio' ? label : `${label}, ${unit}`,
    ...names.flatMap((name) => {
      const measured = subjects[name]
      if (measured === undefined) return ['']
      const { spread, toBase } = measured
      const value = spreadText(spread, (one) => inUnit(one, unit))
      if (!hasRatios(name)) return [value]
      return [value, toBase === null ? '' : `**${ratioText(toBase)}**`]
    }),
  ])
  const head = [`### ${title}`, ...(note === undefined ? [] : [wrap(note)]), `Rounds: ${rounds}.`]
  return [...head, table(['', ...columns], rows)].join('\n\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
