import { expect, it } from 'vitest'
import { exitCodeOfFindings, printFinding } from '../../../src/cli/print-findings.js'
import type { Finding, Status } from '../../../src/doctor/finding.js'
import { stream } from './streams.js'

function finding(status: Status, fix?: string): Finding {
  return { check: 'workers', status, text: 'seen', ...(fix === undefined ? {} : { fix }) }
}

function printed(one: Finding, colours = false): string {
  const out = stream({ colours })
  printFinding(out.stream, one)
  return out.text()
}

it('a finding is one line of status, check, text and advice', () => {
  expect(printed(finding('ok'))).toBe('ok    workers            seen\n')
  expect(printed(finding('fail', 'start one'))).toBe('fail  workers            seen → start one\n')
})

it('a terminal shows the status in colour', () => {
  expect(printed(finding('fail'), true)).toContain('\u001b[31mfail\u001b[39m')
})

it.each([
  [[], 0],
  [['ok', 'skip', 'warn'], 0],
  [['ok', 'fail', 'skip'], 1],
] as const)('%j ends with %i', (statuses, code) => {
  expect(exitCodeOfFindings(statuses.map((status) => finding(status)))).toBe(code)
})
