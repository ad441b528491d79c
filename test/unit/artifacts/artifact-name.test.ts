import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { artifactName } from '../../../src/artifacts/artifact-name.js'

const KEY = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('a', 'A', '.', '/', '~', '%', '#', '0', 'é'), maxLength: 300 }),
)

describe('artifactName', () => {
  it('keeps the keys of perdure readable', () => {
    expect(artifactName('0199e3f2-5a1c/1.2.3/0f4a', '~')).toBe('0199e3f2-5a1c~1.2.3~0f4a')
    expect(artifactName('0199e3f2-5a1c/1.2.3/0f4a', '/')).toBe('0199e3f2-5a1c/1.2.3/0f4a')
  })

  it.each(['/', '~'] as const)('gives different keys different names (with %s)', (separator) => {
    fc.assert(
      fc.property(KEY, KEY, (a, b) => {
        fc.pre(a !== b)
        const names = [a, b].map((key) => artifactName(key, separator).toUpperCase())
        expect(names[0]).not.toBe(names[1])
      }),
    )
  })

  it('is short, of plain characters, and has no part that means another folder', () => {
    fc.assert(
      fc.property(KEY, (key) => {
        const name = artifactName(key, '/')
        expect(name).toMatch(/^[a-z0-9._%#/-]{1,180}$/)
        expect(name.split('/').some((part) => part === '.' || part === '..')).toBe(false)
        expect(artifactName(key, '~')).not.toContain('/')
      }),
    )
  })
})
