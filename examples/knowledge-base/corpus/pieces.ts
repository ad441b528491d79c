/** Where a text may be cut, the best place first: paragraphs, lines, sentences, words, characters. */
const CUTS = [/(?<=\n[^\S\n]*\n)/, /(?<=\n)/, /(?<=[.!?]\s)|(?<=[。！？])/, /(?<=\s)/, /(?:)/u]

/**
 * Cuts a text into pieces of at most `limit` characters as JSON, each as long as it can be. Joined, they
 * are the text; no character outside of the BMP is cut in two.
 */
export function piecesOf(text: string, limit: number, cuts = CUTS): string[] {
  const [cut, ...finer] = cuts
  if (cut === undefined || sizeOf(text) <= limit) return [text]
  const pieces: string[] = []
  let size = 0
  for (const part of text.split(cut).flatMap((part) => piecesOf(part, limit, finer))) {
    const more = sizeOf(part)
    if (pieces.length > 0 && size + more <= limit) {
      pieces[pieces.length - 1] += part
      size += more
    } else {
      pieces.push(part)
      size = more
    }
  }
  return pieces
}

/** Characters inside of JSON's quotes: that is how the model gets it, and what its limit counts. */
function sizeOf(text: string): number {
  return JSON.stringify(text).length - 2
}
