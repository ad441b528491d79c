import type { LintRule } from './lint-rule.js'

/** Of a tool that writes, nobody knows whether it may be tried again and what it costs if it was wrong. */
export const saidEffect: LintRule = {
  name: 'said-effect',
  check: (tools) =>
    tools
      .filter(
        ({ annotations: { readOnlyHint, idempotentHint, destructiveHint } }) =>
          readOnlyHint !== true && idempotentHint === undefined && destructiveHint === undefined,
      )
      .map(({ name }) => ({
        tool: name,
        text: 'its annotations do not tell what it does to the world',
        fix: 'set readOnlyHint if it only reads; else idempotentHint and destructiveHint, true or false',
      })),
}
