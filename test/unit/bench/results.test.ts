import { expect, test } from 'vitest'
import { page } from '../../../bench/report/page.js'
import { tables } from '../../../bench/report/tables.js'
import { type Results, type Round, sumUp } from '../../../bench/results.js'
import type { Figure, Scenario } from '../../../bench/scenarios/scenario.js'
import { judge } from '../../../bench/targets.js'

const MACHINE = {
  cores: 2,
  memoryGB: 8,
  platform: 'linux x64',
  node: 'v20.19.0',
  temporalServer: '1.29.1',
  temporalSdk: '1.23.0',
  loadBefore: 0.1,
}
const NAMES = new Set(['steps-200', 'history'])

test('a subject is compared with the base within each round', () => {
  const result = sumUp(
    scenario('steps-200', 'msPerStep'),
    [round(10, 12), round(20, 22), round(10, 11)],
    'floor',
  )
  const subjects = result.figures[0]?.subjects
  expect(subjects?.['floor']).toMatchObject({ values: [10, 20, 10], toBase: null })
  expect(subjects?.['perdure']?.toBase).toMatchObject({ min: 1.1, median: 1.1, max: 1.2 })
})

test('a figure whose ratio says nothing has none', () => {
  const { figures, ...rest } = scenario('steps-200', 'msPerStep')
  const plain = figures.map((figure) => ({ ...figure, hasRatio: false as const }))
  const result = sumUp({ ...rest, figures: plain }, [round(10, 12)], 'floor')
  expect(result.figures[0]?.subjects['perdure']?.toBase).toBeNull()
  expect(tables({ scenarios: [result], targets: [] })).toContain(
    '|  | floor | perdure |\n|---|---|---|\n| time of a step, ms | 10.0 | 12.0 |',
  )
})

test('a target is reached at its limit and missed beyond it', () => {
  const verdictsOf = (ms: number) => results(ms).targets.map(({ what, verdict }) => [what, verdict])
  const [time, cpu, added] = [
    "step time at 200 steps, as a multiple of the floor's",
    "worker's CPU time of a step at 200 steps, as a multiple of the floor's",
    'history that a further step adds, in bytes',
  ]
  expect(verdictsOf(11)).toContainEqual([time, 'reached'])
  expect(verdictsOf(11.1)).toContainEqual([time, 'missed'])
  expect(verdictsOf(11.1)).toContainEqual([cpu, 'reached'])
  expect(verdictsOf(11.1)).toContainEqual([added, 'reached'])
})

test('a target that was not measured is missed, and says so', () => {
  const missed = judge([], NAMES)
  expect(new Set(missed.map(({ verdict }) => verdict))).toEqual(new Set(['missed']))
  expect(tables({ scenarios: [], targets: missed })).toContain('| not measured | **missed** |')
})

test('scenarios that were not asked for have no targets', () => {
  expect(judge([], new Set())).toEqual([])
})

test('values are told with their range, those that never differ without', () => {
  const text = tables(results(11.5))
  expect(text).toContain('| time of a step, ms | 10.0 | 11.5 | **1.15** |')
  expect(text).toContain('| history, kB | 2.6 | 3.1 | **1.19** |')
})

test('each command writes its own part of the page, and leaves that of the other as it is', () => {
  const short = page('short', results(11.5), '')
  expect(short).toContain(tables(results(11.5)))
  expect(short).toContain('Not measured yet: `npm run bench:full -- --write`.')
  const both = page('long', results(12.5), short)
  expect(both).toContain(tables(results(11.5)))
  expect(both).toContain(tables(results(12.5)))
  const again = page('short', results(13.5), both)
  expect(again).not.toContain(tables(results(11.5)))
  expect(again).toContain(tables(results(12.5)))
  expect(page('long', results(12.5), again)).toBe(again)
})

test('a scenario that failed is told on the page', () => {
  const failed = [{ name: 'steps-10', error: 'Error: no server' }]
  expect(page('short', { ...results(11), failed }, '')).toContain(
    '**steps-10 failed**: Error: no server',
  )
})

function scenario(
  name: string,
  ...figures: string[]
): Pick<Scenario, 'name' | 'title' | 'figures'> {
  return { name, title: name, figures: figures.map(figureOf) }
}

function figureOf(name: string): Figure {
  return name === 'marginal'
    ? { name, label: 'history', unit: 'kB' }
    : { name, label: 'time of a step', unit: 'ms' }
}

function round(floor: number, perdure: number): Round {
  return {
    floor: { msPerStep: floor, cpuMsPerStep: 5, marginal: 2_600 },
    perdure: { msPerStep: perdure, cpuMsPerStep: 5.5, marginal: 3_100 },
  }
}

function results(msPerStep: number): Results {
  const rounds = [round(10, msPerStep), round(10, msPerStep)]
  const scenarios = [
    scenario('steps-200', 'msPerStep', 'cpuMsPerStep'),
    scenario('history', 'marginal'),
  ].map((one) => sumUp(one, rounds, 'floor'))
  return {
    format: 2,
    date: '2026-11-30T12:00:00.000Z',
    seconds: 100,
    perdure: '0.1.0',
    effort: 'full',
    machine: MACHINE,
    scenarios,
    failed: [],
    targets: judge(scenarios, NAMES),
  }
}
