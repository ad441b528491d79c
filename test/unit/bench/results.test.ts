import { expect, test } from 'vitest'
import { page } from '../../../bench/report/page.js'
import { tables } from '../../../bench/report/tables.js'
import { type Results, type Round, sumUp } from '../../../bench/results.js'
import type { Scenario } from '../../../bench/scenarios/scenario.js'
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

test('a stack is compared with the floor within each round', () => {
  const result = sumUp(
    scenario('steps-10', 'msPerStep'),
    [round(10, 12), round(20, 22), round(10, 11)],
    'floor',
  )
  const stacks = result.figures[0]?.stacks
  expect(stacks?.['floor']).toMatchObject({ values: [10, 20, 10], toFloor: null })
  expect(stacks?.['perdure']?.toFloor).toMatchObject({ min: 1.1, median: 1.1, max: 1.2 })
})

test('a target is reached at its limit and missed beyond it', () => {
  const verdicts = judge(results(11.5).scenarios).map(({ verdict }) => verdict)
  expect(verdicts).toEqual(['reached', 'reached', 'reached', 'reached'])
  const worse = judge(results(11.6).scenarios)
  expect(worse.map(({ verdict }) => verdict)).toEqual(['missed', 'missed', 'reached', 'reached'])
  expect(worse[0]).toMatchObject({ value: 1.16, limit: 'at most 1.15' })
})

test('a target that was not measured is missed', () => {
  expect(new Set(judge([]).map(({ verdict }) => verdict))).toEqual(new Set(['missed']))
})

test('a missed target stands out in the tables and on the page', () => {
  const missed = results(11.6)
  expect(tables(missed)).toContain('| at most 1.15 | 1.16 | **missed** |')
  expect(page(missed)).toContain(tables(missed))
})

test('values are told with their range, those that never differ without', () => {
  const text = tables(results(11.5))
  expect(text).toContain('| time of a step, ms | 10.0 | 11.5 | **1.15** |')
  expect(text).toContain('| history, kB | 140.0 | 160.0 | **1.14** |')
})

function scenario(
  name: string,
  ...figures: string[]
): Pick<Scenario, 'name' | 'title' | 'figures'> {
  const unitOf = (figure: string) => (figure === 'historyBytes' ? 'kB' : 'ms')
  const labelOf = (figure: string) => (figure === 'historyBytes' ? 'history' : 'time of a step')
  return {
    name,
    title: name,
    figures: figures.map((f) => ({ name: f, label: labelOf(f), unit: unitOf(f) })),
  }
}

function round(floor: number, perdure: number): Round {
  return {
    floor: { msPerStep: floor, stepsPerSecond: 40, historyBytes: 140_000 },
    perdure: { msPerStep: perdure, stepsPerSecond: 36, historyBytes: 160_000 },
  }
}

function results(msPerStep: number): Results {
  const rounds = [round(10, msPerStep), round(10, msPerStep)]
  const scenarios = [
    scenario('steps-10', 'msPerStep'),
    scenario('steps-50', 'msPerStep', 'historyBytes'),
    scenario('throughput', 'stepsPerSecond'),
  ].map((one) => sumUp(one, rounds, 'floor'))
  const targets = judge(scenarios)
  return {
    format: 1,
    date: '2026-11-30T12:00:00.000Z',
    perdure: '0.1.0',
    effort: 'full',
    machine: MACHINE,
    stacks: [{ name: 'floor', what: 'a bare workflow' }],
    scenarios,
    targets,
  }
}
