import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  FAILURE_RULES,
  MAX_WAIT_MS,
  modelFailure,
  type Outcome,
} from '../../../src/activities/failures.js'
import { defineAgent } from '../../../src/definition/define-agent.js'
import { ModelError } from '../../../src/models/model-error.js'
import { refusedParameter } from '../../../src/models/refused-parameter.js'
import { requestBody } from '../../../src/models/request-body.js'
import { prompt, TOOL } from '../models/endpoint.js'

const TEXT = readFileSync(new URL('../../../docs/failures.md', import.meta.url), 'utf8')

/** The rows of the table below a heading, by their cells. */
function table(heading: string): string[][] {
  const section = TEXT.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const RETRIED = ['`ModelUnavailable`', 'yes', "the server's hint, else backoff"]
const CELLS: Readonly<Record<Outcome, readonly string[]>> = {
  retried: RETRIED,
  final: ['`ModelRejected`', 'no', '–'],
  context_length: ['none: stop reason `context_length`', 'no', '–'],
  content_filter: ['none: stop reason `content_filter`', 'no', '–'],
}

describe('docs/failures.md', () => {
  it('has the table of failures, row by row', () => {
    expect(table('What becomes of a failed request')).toEqual(
      FAILURE_RULES.map(({ when, outcome }) => [when, ...CELLS[outcome]]),
    )
  })

  it('names the failure types that failures have', () => {
    const patience = { attempt: 1, elapsedMs: 0, totalMs: 600_000 }
    const typeOf = (status: number) =>
      modelFailure(new ModelError('x', { status }), patience).type ?? ''
    expect(CELLS.retried[0]).toBe(`\`${typeOf(503)}\``)
    expect(CELLS.final[0]).toBe(`\`${typeOf(400)}\``)
  })

  it('has the numbers of the code', () => {
    const { manifest } = defineAgent({ name: 'a', instructions: 'b', model: 'c' })
    const said = new Map(table('How long it is tried').map(([what, value]) => [what, value]))
    expect(said.get('attempts at one model call')).toBe(`${manifest.modelMaximumAttempts}`)
    expect(said.get('time that all of them may take')).toBe(
      `${(manifest.modelTotalMs ?? 0) / 60_000} minutes`,
    )
    expect(said.get('time that one may take')).toBe(`${manifest.modelTimeoutMs / 60_000} minutes`)
    expect(said.get('longest wait that a server may ask for')).toBe(
      `${MAX_WAIT_MS / 60_000} minutes`,
    )
  })

  it('names every parameter that is adapted, and no other', () => {
    const said = table('What is adapted').flatMap(([refused = '']) => refused.match(/\w+/g) ?? [])
    const settings = { temperature: 0, topP: 1, maxTokens: 7, seed: 1, stop: ['END'] }
    const asked = prompt({ settings, tools: [{ ...TOOL, strict: true }], parallel: false })
    const body = requestBody(asked, { stream: true, schema: 'full', refused: new Set() })
    const adapted = [...Object.keys(body), 'strict'].filter((param) => {
      const facts = { status: 400, param, code: 'unsupported_parameter' }
      return refusedParameter(new ModelError('Unsupported.', facts), body) === param
    })
    expect(new Set(said)).toEqual(new Set(adapted))
  })
})
