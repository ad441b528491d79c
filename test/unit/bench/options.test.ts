import { expect, test } from 'vitest'
import { readOptions } from '../../../bench/options.js'

test('without arguments all of the short suite is measured', () => {
  const options = readOptions([])
  expect(options).toMatchObject({ suite: 'short', effort: 'full', peers: true, write: false })
  expect(options?.scenarios.map(({ name }) => name)).toContain('steps-10')
  expect(options?.scenarios.map(({ name }) => name)).not.toContain('endless-run')
})

test('--only measures the scenarios that it names, in the order given', () => {
  const options = readOptions(['--only', 'tool-cache', '--only', 'steps-10'])
  expect(options?.scenarios.map(({ name }) => name)).toEqual(['tool-cache', 'steps-10'])
})

test('a scenario of the other suite is none here, and the message names those that are', () => {
  expect(() => readOptions(['--only', 'endless-run'])).toThrow(
    /no scenario "endless-run".*steps-10/,
  )
  expect(readOptions(['--long', '--only', 'endless-run'])?.scenarios).toHaveLength(1)
})

test.each([['--quick'], ['--only', 'steps-10']])(
  '%s is no whole measurement: it writes no page',
  (...args) => {
    expect(() => readOptions([...args, '--write'])).toThrow('--write')
  },
)

test('help measures nothing', () => {
  expect(readOptions(['--help', '--write'])).toBeNull()
})
