import type { ToolManifest } from '../../contract/manifest.js'
import type { LintRule, LintWarning } from './lint-rule.js'

/** Part of all words of two descriptions that both have, from which on they say the same. */
const MAX_SHARED = 0.75
/** Words below which a description is too short to be compared: another rule complains of it. */
const MIN_WORDS = 3
const WORD = /[\p{L}\p{N}]+/gu
/** Words that tell no tool from another. */
const EMPTY = new Set(
  'a about an and any are as at be by can do does for from get gets give gives has have if in into is it its of on or that the their them then there this to tool use uses used was what when whenever where which who will with'.split(
    ' ',
  ),
)

/** Two tools that say the same are taken for each other. */
export const overlap: LintRule = {
  name: 'overlap',
  check: (tools) => {
    const known = tools.map((tool) => ({ tool, words: contentWords(tool.description) }))
    return known.flatMap((a, i) => known.slice(i + 1).flatMap((b) => compare(a, b)))
  },
}

interface Words {
  readonly tool: ToolManifest
  readonly words: ReadonlySet<string>
}

function compare(a: Words, b: Words): readonly LintWarning[] {
  if (Math.min(a.words.size, b.words.size) < MIN_WORDS) return []
  // Whoever names the other tool tells the two apart.
  if (names(a, b) || names(b, a)) return []
  const shared = [...a.words].filter((word) => b.words.has(word)).length
  const isPart = shared === Math.min(a.words.size, b.words.size)
  if (!isPart && shared / (a.words.size + b.words.size - shared) < MAX_SHARED) return []
  return [
    {
      tool: a.tool.name,
      text: `the description says much the same as that of ${b.tool.name}`,
      fix: 'say in both which one is for what',
    },
  ]
}

function names({ tool }: Words, other: Words): boolean {
  return tool.description.includes(other.tool.name)
}

function contentWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(WORD) ?? []
  return new Set(words.filter((word) => !EMPTY.has(word)).map(singular))
}

/** "orders" and "order" are one word. */
function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}
