import { type CountTokens, estimateTokens } from '../contract/tokens.js'

/** How a worker counts tokens. */
export type TokenizerName = 'o200k' | 'estimate'

/** Counts the tokens of a text, whenever the tables are there. */
export type Tokenizer = () => Promise<CountTokens>

/** The tokenizer takes time that grows with the square of an unbroken text. */
const PIECE_CHARS = 2_000
/** Longer texts are estimated: nobody needs the exact size of what is far too long. */
const MAX_CHARS = 200_000

/**
 * The tokenizer of a worker. `o200k` (that of OpenAI's models since GPT-4o) loads its tables when it is
 * first asked, about 20 MB of memory; `estimate` needs none.
 */
export function createTokenizer(name: TokenizerName): Tokenizer {
  if (name === 'estimate') return async () => estimateTokens
  let loaded: Promise<CountTokens> | undefined
  return () => {
    // Estimated where they cannot be loaded: a reply that is paid for must not be lost for its size.
    loaded ??= loadO200k().catch(() => estimateTokens)
    return loaded
  }
}

async function loadO200k(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // Without these, a text that holds <|endoftext|> would throw.
  const plain = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }
  return (text) => {
    if (text.length > MAX_CHARS) return estimateTokens(text)
    let tokens = 0
    for (let at = 0; at < text.length; at += PIECE_CHARS) {
      tokens += countTokens(text.slice(at, at + PIECE_CHARS), plain)
    }
    return tokens
  }
}
