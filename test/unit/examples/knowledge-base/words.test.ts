import { describe, expect, it } from 'vitest'
import { snippetOf } from '../../../../examples/knowledge-base/index/snippet.js'
import { folded, wordsOf } from '../../../../examples/knowledge-base/index/words.js'

describe('the words of a text', () => {
  it.each([
    ['退款需要多长时间到账？', '退款 需要 多 长 时间 到 账'],
    ['订单A1001延迟了', '订单 a1001 延迟 了'],
    ['Wie lange dauert die Rückerstattung?', 'wie lange dauert die rückerstattung'],
    ["It's kill -9: \u0000 (`read_more`) — 4.90 EUR", "it's kill 9 read_more 4.90 eur"],
    ['ＡＢＣ ﬁne', 'abc fine'],
    ["'; -- & | ! <-> :* ()", ''],
    ['', ''],
  ])('%s → %s', (text, words) => {
    expect(wordsOf(text).join(' ')).toBe(words)
  })

  it('are the same for both Unicode forms of an umlaut', () => {
    expect(wordsOf('Ru\u0308ckgabe')).toEqual(wordsOf('Rückgabe'))
  })

  it('are known without umlauts as well', () => {
    expect(['rückgabe', 'größe', '退款'].map(folded)).toEqual(['rueckgabe', 'groesse', '退款'])
  })
})

describe('the snippet of a text', () => {
  const text = `${'before '.repeat(40)}the\n  needle ${'after '.repeat(40)}`

  it('has the longest word that is there, on one line, and marks what is left out', () => {
    expect(snippetOf(text, ['the', 'needle', 'nowhere-in-it'])).toMatch(/^….*the needle after.*…$/)
  })

  it('is the beginning where no word is there, such as another form of one', () => {
    expect(snippetOf(text, ['needles'])).toMatch(/^before before/)
    expect(snippetOf('短文。', ['长'])).toBe('短文。')
  })

  it('cuts no character in two', () => {
    expect(snippetOf('😀'.repeat(500), []).isWellFormed()).toBe(true)
  })
})
