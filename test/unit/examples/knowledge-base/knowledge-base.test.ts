import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createShop } from '../../../../examples/after-sales/shop.js'
import { knowledgeBaseAgent } from '../../../../examples/knowledge-base/agents.js'
import { readCorpus } from '../../../../examples/knowledge-base/corpus/corpus.js'
import { search } from '../../../../examples/knowledge-base/index/search.js'
import {
  createKnowledgeBase,
  type KnowledgeBase,
} from '../../../../examples/knowledge-base/knowledge-base.js'
import type { JsonObject } from '../../../../src/index.js'
import { callTool, refusal } from '../call-tool.js'
import { places, type TestPlace } from '../database/places.js'

const corpus = () =>
  readCorpus({ debian: '/there/is/no/such/folder' }).filter(({ id }) => /^(shop|perdure)/.test(id))
const silent = () => {}

describe.each(places)('the knowledge base in the %s database', (_name, makePlace) => {
  let place: TestPlace
  let base: KnowledgeBase
  beforeAll(async () => {
    place = await makePlace()
    base = createKnowledgeBase({ settings: place.settings, corpus, log: silent })
    await base.database()
    // The first opening creates a cluster: seconds on a busy machine.
  }, 60_000)
  afterAll(async () => {
    await base.close()
    await place.remove()
  })

  const find = async (query: string, page = 1) => search(await base.database(), query, page)
  const best = async (query: string) => (await find(query)).passages[0]?.id
  const call = (name: string, args: JsonObject) =>
    callTool(knowledgeBaseAgent({ knowledgeBase: base, shop: createShop(place.settings) }), {
      name,
      args,
      customerId: 'c7',
    })

  it.each([
    ['退款多久到账', 'shop/refunds.zh.md#3'],
    ['包裹丢失怎么办', 'shop/delivery.zh.md#5'],
    ['Rückgabe im Karton', 'shop/rueckgabe.de.md#2'],
    ['Rueckgabe', 'shop/rueckgabe.de.md#2'],
    ['verspätetes Paket', 'shop/lieferung.de.md#4'],
    ['Werkstätten', 'shop/rueckgabe.de.md#5'],
    ['how long do refunds take', 'shop/refunds.en.md#3'],
    ['lost parcels', 'shop/delivery.en.md#5'],
    ['idempotency key', 'perdure/docs/tools.md'],
  ])('finds for "%s" the passage that says it', async (query, id) => {
    expect(await best(query)).toMatch(new RegExp(`^${id}`))
  })

  it('pages through all that it found, each passage once', async () => {
    const first = await find('order refund')
    expect(first.total).toBeGreaterThan(10)
    const seen: string[] = []
    for (let page: number | null = 1; page !== null; ) {
      const found = await find('order refund', page)
      expect(found.total).toBe(first.total)
      seen.push(...found.passages.map(({ id }) => id))
      page = found.nextPage
    }
    expect(new Set(seen).size).toBe(first.total)
    expect(await find('order refund', 1_000)).toEqual({
      total: first.total,
      page: 1_000,
      nextPage: null,
      passages: [],
    })
  })

  it.each([
    ['SQL', "'; DROP TABLE passages; --"],
    ['quotes', `%' OR '1'='1`],
    ['operators of tsquery', 'a & b | !c <-> d:* )('],
    ['what no text holds', '\\ \u0000 \ud800 \u2028'],
    ['nothing', ''],
    ['blanks', '   '],
    ['10 kB of one word', 'word '.repeat(2_000)],
    ['10 kB of different words', Array.from({ length: 2_000 }, (_, i) => `w${i}`).join(' ')],
    ['10 kB without a space', 'x'.repeat(10_000)],
    ['10 kB of Chinese', '退款'.repeat(5_000)],
  ])('takes a query of %s for words and nothing else', async (_what, query) => {
    const { total, passages } = await find(query)
    expect(passages.length).toBeLessThanOrEqual(total)
    expect(await best('lost parcels')).toBe('shop/delivery.en.md#5')
  })

  it('takes any text for a query', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 100 }), async (query) => {
        expect((await find(query)).page).toBe(1)
      }),
      { numRuns: 50 },
    )
  })

  it('keeps five results below the length at which observations are cut', async () => {
    const result = await call('search_docs', { query: 'temporal activity run step', page: null })
    expect(result['passages']).toHaveLength(5)
    expect(JSON.stringify(result).length).toBeLessThan(2_000)
  })

  it('search_docs tells what to do when nothing is found', async () => {
    const result = await call('search_docs', { query: '?!', page: null })
    expect(result).toMatchObject({ total: 0, passages: [] })
    expect(result['hint']).toContain('Try other words')
  })

  it('read_doc reads a document passage by passage to its end', async () => {
    const seen: string[] = []
    for (let id: unknown = 'shop/refunds.en.md'; typeof id === 'string'; ) {
      const page = await call('read_doc', { id })
      seen.push(`${page['id']} of ${page['pages']}`)
      id = page['nextPage']
    }
    expect(seen).toEqual([1, 2, 3, 4, 5].map((page) => `shop/refunds.en.md#${page} of 5`))
  })

  it.each([
    ['no such document', 'shop/none.md#1'],
    ['a page after the last', 'shop/refunds.en.md#99'],
    ['a page before the first', 'shop/refunds.en.md#0'],
    ['SQL', `'; DROP TABLE passages; --`],
    ['NUL', '\u0000'],
    ['no document', '#1'],
    ['nothing', ''],
    ['10 kB', 'x'.repeat(10_000)],
  ])('read_doc says that there is no passage: %s', async (_what, id) => {
    expect(await refusal(call('read_doc', { id }))).toContain('Take an id from search_docs')
  })

  it('is made anew for other documents when asked to, and kept else', async () => {
    await base.close()
    const opened = async (whenChanged: 'keep' | 'rebuild', text: string) => {
      const said: string[] = []
      const log = (line: string) => said.push(line)
      const one = () => [{ id: 'a.md', text }]
      const other = createKnowledgeBase({
        settings: place.settings,
        corpus: one,
        whenChanged,
        log,
      })
      const { passages } = await search(await other.database(), 'apple pear', 1)
      await other.close()
      return { found: passages.map(({ snippet }) => snippet), built: said.length > 0 }
    }
    expect(await opened('keep', 'An apple.')).toEqual({ found: [], built: false })
    expect(await opened('rebuild', 'An apple.')).toEqual({ found: ['An apple.'], built: true })
    expect(await opened('rebuild', 'An apple.')).toEqual({ found: ['An apple.'], built: false })
    expect(await opened('rebuild', 'A pear.')).toEqual({ found: ['A pear.'], built: true })
  })
})
