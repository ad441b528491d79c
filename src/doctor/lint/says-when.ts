import type { LintRule } from './lint-rule.js'

/** Words that begin a condition, or name an occasion. "Use to …" and "Use for …" are taken for one. */
const ENGLISH =
  /\b(when|whenever|if|unless|once|before|after|first|while|until|only|instead|use\b.*\b(to|for)|call this (to|for)|questions? (about|on)|asks?|asked)\b/i
/** The same in German, French, Spanish, Portuguese, Italian and Dutch. */
const EUROPEAN =
  /\b(wenn|falls|sobald|bevor|nachdem|quand|lorsque|avant|après|si|cuando|antes|después|quando|depois|prima|dopo|se|wanneer|als|voordat)(?![\p{L}\p{N}])/iu
/** A description in another script is not judged: no list of words would do. */
const LATIN = /\p{Script=Latin}/gu
const LETTER = /\p{L}/gu

/** A model that is told what a tool does, but not when to use it, guesses. */
export const saysWhen: LintRule = {
  name: 'says-when',
  check: (tools) =>
    tools
      .filter(({ description }) => isLatin(description) && !isCondition(description))
      .map(({ name }) => ({
        tool: name,
        text: 'the description does not say when to use it',
        fix: 'begin with "Use when …"',
      })),
}

function isCondition(text: string): boolean {
  return ENGLISH.test(text) || EUROPEAN.test(text)
}

function isLatin(text: string): boolean {
  const letters = text.match(LETTER)?.length ?? 0
  return (text.match(LATIN)?.length ?? 0) * 2 >= letters
}
