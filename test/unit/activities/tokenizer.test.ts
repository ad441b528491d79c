import * as fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { createTokenizer } from '../../../src/activities/tokenizer.js'
import { estimateTokens } from '../../../src/contract/tokens.js'
import { anyText } from '../agent/arbitraries.js'

describe('o200k', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    ['你好', 1],
    ['😀', 1],
  ])('counts %j as OpenAI does', async (text, tokens) => {
    const count = await createTokenizer('o200k')()
    expect(count(text)).toBe(tokens)
    expect(count(text)).toBe(countTokens(text))
  })

  it('takes the names of special tokens for text', async () => {
    const count = await createTokenizer('o200k')()
    expect(count('a <|endoftext|> b')).toBeGreaterThan(4)
  })

  it('counts anything, half surrogate pairs included', async () => {
    const count = await createTokenizer('o200k')()
    await fc.assert(
      fc.property(anyText, fc.nat(400), (text, times) => {
        const tokens = count(text.repeat(times))
        expect(Number.isInteger(tokens)).toBe(true)
        expect(tokens > 0).toBe(text.length * times > 0)
      }),
    )
  })

  it('is quick with a long text without a space, and about right', async () => {
    const count = await createTokenizer('o200k')()
    const text = 'abcdefgh'.repeat(20_000)
    const started = performance.now()
    const tokens = count(text)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(tokens).toBeGreaterThanOrEqual(20_000)
  })

  it('estimates what is far too long', async () => {
    const count = await createTokenizer('o200k')()
    const text = 'word '.repeat(50_000)
    expect(count(text)).toBe(estimateTokens(text))
  })

  it('loads its tables once', () => {
    const tokenizer = createTokenizer('o200k')
    expect(tokenizer()).toBe(tokenizer())
  })
})

it('an estimating worker loads nothing', async () => {
  expect(await createTokenizer('estimate')()).toBe(estimateTokens)
})
