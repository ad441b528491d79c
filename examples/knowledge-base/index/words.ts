/**
 * Cuts at dictionary words. Chinese has no spaces, and PostgreSQL's parser takes a whole clause for one
 * word, which no query ever meets. Other languages are cut at spaces and punctuation as usual.
 */
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** The words of a text, in order, in lower case and one Unicode form; punctuation is left out. */
export function wordsOf(text: string): string[] {
  return [...segmenter.segment(text.normalize('NFKC').toLowerCase())]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment)
}

const FOLDED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** A word as it is typed on a keyboard without umlauts: `rückgabe` → `rueckgabe`. */
export function folded(word: string): string {
  return word.replaceAll(/[äöüß]/g, (letter) => FOLDED[letter] ?? letter)
}
