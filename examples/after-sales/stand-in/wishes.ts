/** What a customer may want. */
export type Wish = 'refund' | 'email' | 'policy' | 'track'

const WISHES: Readonly<Record<Wish, RegExp>> = {
  // "refunded" is a question about the past, not a wish.
  refund: /\brefund\b|\bmoney back\b|\breimburse\b/,
  email: /\be-?mail\b|\bmail me\b|\bwrite to me\b/,
  policy: /\bpolic(y|ies)\b|\brules?\b|\beligible\b|\bentitled\b/,
  track: /\bwhere\b|\bwhen\b|\btrack|\bparcel\b|\bdeliver|\barriv|\blate\b|\bdelay/,
}

// Moves money only on a plain wish: what is left of "I don't want a refund" without these is none.
const NO_WISH = [
  /(\bno|\bnot|n['’]t|\bwithout|\bnever)\s+(\w+\s+){0,3}(refund|money back|e-?mail)\b/g,
  /\bmy e-?mail( address)? is\b/g,
]
const POLICY = /\brefund (policy|policies|rules?)\b/g

/** The wishes in what the user said. */
export function readWishes(texts: readonly string[]): ReadonlySet<Wish> {
  const plain = NO_WISH.reduce(
    (text, pattern) => text.replaceAll(pattern, ' '),
    texts.join('\n').toLowerCase(),
  ).replaceAll(POLICY, 'policy')
  const wishes = Object.entries(WISHES) as [Wish, RegExp][]
  return new Set(wishes.filter(([, pattern]) => pattern.test(plain)).map(([wish]) => wish))
}
