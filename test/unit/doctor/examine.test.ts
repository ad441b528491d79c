import { expect, it } from 'vitest'
import type { Check } from '../../../src/doctor/check.js'
import { examine } from '../../../src/doctor/examine.js'
import type { Finding, Found } from '../../../src/doctor/finding.js'
import { subject } from './subjects.js'

function check(name: string, look: Check['look'], more: Partial<Check> = {}): Check {
  return { name, needs: [], deadlineMs: 1_000, look, ...more }
}

function found(status: Found['status'], text = 'seen') {
  return async () => [{ status, text }]
}

async function all(...checks: readonly Check[]) {
  const findings: Finding[] = []
  const redact = (text: string) => text.replace('key1', '•')
  for await (const finding of examine(checks, subject({ redact }))) findings.push(finding)
  return findings
}

it('checks are made in order, and each finding is told at once', async () => {
  const made: string[] = []
  const note = (name: string) =>
    check(name, async () => {
      made.push(name)
      return [{ status: 'ok' as const, text: name }]
    })
  for await (const { check: name } of examine([note('a'), note('b')], subject())) {
    expect(made.at(-1)).toBe(name)
  }
  expect(made).toEqual(['a', 'b'])
})

it.each(['fail', 'skip'] as const)(
  'after %s, what needs it is skipped, and so on',
  async (status) => {
    const findings = await all(
      check('a', found(status)),
      check('b', found('ok'), { needs: ['a'] }),
      check('c', found('ok'), { needs: ['b'] }),
      check('d', found('ok')),
    )
    expect(findings.map((one) => one.status)).toEqual([status, 'skip', 'skip', 'ok'])
    expect(findings[1]?.text).toContain('"a"')
  },
)

it('a warning skips nothing', async () => {
  const findings = await all(check('a', found('warn')), check('b', found('ok'), { needs: ['a'] }))
  expect(findings.map(({ status }) => status)).toEqual(['warn', 'ok'])
})

it('an error is a finding', async () => {
  const findings = await all(check('a', async () => Promise.reject(new Error('broken'))))
  expect(findings).toEqual([{ check: 'a', status: 'fail', text: 'broken' }])
})

it('a check that hangs is ended at its deadline, and told so', async () => {
  let aborted = false
  const hang: Check['look'] = (_, signal) =>
    new Promise(() => signal.addEventListener('abort', () => (aborted = true)))
  const findings = await all(check('a', hang, { deadlineMs: 10 }), check('b', found('ok')))
  expect(findings.map(({ text }) => text)).toEqual(['no answer within 0.01 s', 'seen'])
  expect(aborted).toBe(true)
})

it('a finding is one line without secrets', async () => {
  const look = async () => [{ status: 'warn' as const, text: 'bad\n key1', fix: 'not key1 ' }]
  expect(await all(check('a', look))).toEqual([
    { check: 'a', status: 'warn', text: 'bad •', fix: 'not •' },
  ])
})
