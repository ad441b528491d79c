import { describe, expect, test } from 'vitest'
import { checkRequest, type Rule } from '../../../src/testing/index.js'

/** What it is, and the body. */
export type Legal = readonly [string, unknown]

/** The rule, the path, what it is, and the body. */
export type Illegal = readonly [Rule, string, string, unknown]

export interface RuleCases {
  readonly legal: readonly Legal[]
  readonly illegal: readonly Illegal[]
}

/** Tests of `checkRequest`: what it accepts, and what it reports and nothing else. */
export function testRules(title: string, { legal, illegal }: RuleCases): void {
  describe(title, () => {
    test.each(legal)('accept %s', (_name, body) => {
      expect(checkRequest(body)).toEqual([])
    })

    test.each(illegal)('report %s at "%s" for %s', (rule, path, _name, body) => {
      const violations = checkRequest(body)
      expect(violations).toContainEqual({ rule, path, message: expect.any(String) })
      // Nothing else is wrong with these bodies: one fault must not drag other reports along.
      expect(new Set(violations.map((violation) => violation.rule))).toEqual(new Set([rule]))
    })
  })
}
