import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { defineAgent } from '../../../src/definition/define-agent.js'

const TEXT = readFileSync(new URL('../../../docs/memory.md', import.meta.url), 'utf8')

/** What the tables of the page say: the default by the option. */
const said = new Map(
  [...TEXT.matchAll(/^\| `([\w.]+)` \| ([^|]+) \|/gm)].map(([, option, value]) => [option, value]),
)

it('docs/memory.md has the defaults of the code', () => {
  const { manifest } = defineAgent({ name: 'a', instructions: 'b', model: 'c' })
  const { summary, turns, maxTokens } = manifest.memory ?? {}
  expect(said.get('summary.keepMessages')).toBe(`${summary?.keepMessages}`)
  expect(said.get('summary.aboveTokens')).toBe(summary?.aboveTokens.toLocaleString('en'))
  expect(said.get('summary.maxWords')).toBe(`${summary?.maxWords}`)
  expect(said.get('turns')).toBe(`${turns}`)
  expect(maxTokens).toBeUndefined()
  expect(said.get('maxTokens')).toBe('no limit')
  expect(said.get('maxSteps')).toBe(`${manifest.limits.maxSteps}`)
  expect(manifest.limits).toEqual({ maxSteps: manifest.limits.maxSteps })
})
