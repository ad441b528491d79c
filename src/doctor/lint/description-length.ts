import type { LintRule } from './lint-rule.js'

/** Characters below which a description cannot say what a tool does and when to use it. */
const MIN_CHARS = 40
/** Scripts in which a word is about a third as long. */
const DENSE = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u
const DENSE_CHARS = 3

/** A short description leaves the choice to the name. */
export const descriptionLength: LintRule = {
  name: 'description-length',
  check: (tools) =>
    tools
      .filter(({ description }) => length(description) < MIN_CHARS)
      .map(({ name, description }) => ({
        tool: name,
        text: `the description has only ${[...description.trim()].length} characters`,
        fix: `say in ${MIN_CHARS} or more when to use it, and what it gives`,
      })),
}

function length(text: string): number {
  return [...text.trim()].reduce((sum, char) => sum + (DENSE.test(char) ? DENSE_CHARS : 1), 0)
}
