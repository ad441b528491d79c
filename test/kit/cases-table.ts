import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** A test of a field case: its name begins with the case's id, as in `B01 · arguments that are not JSON`. */
const NAME = /^(B\d\d) · (.*)/

type State = 'pass' | 'FAIL' | 'later'

/** One row of the table. */
interface Row {
  state: State
  name: string
  tests: number
}

/** Prints which field cases pass, when tests of them ran: one line an id, and the counts. */
export class CasesTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = new Map<string, Row>()
    for (const module of modules) {
      for (const test of module.children.allTests()) take(rows, test)
    }
    if (rows.size === 0) return
    const sorted = [...rows].toSorted(([a], [b]) => a.localeCompare(b))
    for (const [id, { state, name, tests }] of sorted) {
      console.log(`${id}  ${state.padEnd(5)}  ${name}${tests > 1 ? ` (${tests} tests)` : ''}`)
    }
    console.log(counts([...rows.values()]))
  }
}

function take(rows: Map<string, Row>, test: TestCase): void {
  const [, id, title = ''] = NAME.exec(test.name) ?? []
  const read = id === undefined ? null : stateOf(test)
  if (id === undefined || read === null) return
  const row = rows.get(id)
  const name = read.issue === undefined ? title : `${title} (${read.issue})`
  if (row === undefined) {
    rows.set(id, { state: read.state, name, tests: 1 })
    return
  }
  row.tests++
  // The worst of its tests decides, and gives its name.
  if (rank(read.state) <= rank(row.state)) return
  row.state = read.state
  row.name = name
}

function stateOf(test: TestCase): { state: State; issue?: string } | null {
  const result = test.result()
  switch (result.state) {
    case 'passed':
      return { state: 'pass' }
    case 'failed':
      return { state: 'FAIL' }
    case 'skipped': {
      // Skipped without such a note: not chosen in this run.
      const issue = /^later: (.*)/.exec(result.note ?? '')?.[1]
      return issue === undefined ? null : { state: 'later', issue: `later: ${issue}` }
    }
    default:
      return null
  }
}

function rank(state: State): number {
  return ['pass', 'later', 'FAIL'].indexOf(state)
}

function counts(rows: readonly Row[]): string {
  return (['pass', 'FAIL', 'later'] as const)
    .map((state) => [state, rows.filter((row) => row.state === state).length] as const)
    .filter(([state, count]) => count > 0 || state === 'pass')
    .map(([state, count]) => `${count} ${state}`)
    .join(', ')
}
