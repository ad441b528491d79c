import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCorpus } from '../../../../examples/knowledge-base/corpus/corpus.js'
import { MAX_PASSAGE, passagesOf } from '../../../../examples/knowledge-base/corpus/passages.js'
import { piecesOf } from '../../../../examples/knowledge-base/corpus/pieces.js'
import { freshFolder } from '../../../kit/fresh-folder.js'

const passages = (text: string) => passagesOf({ id: 'a/b.md', text })

describe('the passages of a document', () => {
  it('are cut at its headings, and titled with those that they are under', () => {
    const text = '# Shop\nIntro.\n## Returns\nSend it.\n### Fees\nFree.\n## Late ##\nRefund.\n'
    expect(passages(text).map(({ id, page, title, text }) => [id, page, title, text])).toEqual([
      ['a/b.md#1', 1, 'Shop', 'Intro.'],
      ['a/b.md#2', 2, 'Shop › Returns', 'Send it.'],
      ['a/b.md#3', 3, 'Shop › Returns › Fees', 'Free.'],
      ['a/b.md#4', 4, 'Shop › Late', 'Refund.'],
    ])
  })

  it('take an underlined line for a heading, and a comment in a code block for none', () => {
    const text = 'Usage\n=====\nRun it.\n\n```sh\n# not a heading\nls\n```\n\nBugs\n----\nNone.\n'
    expect(passages(text).map(({ title }) => title)).toEqual(['Usage', 'Usage › Bugs'])
  })

  it('take no table and no rule for a heading', () => {
    const text = '# A\nOne.\n\n---\n\n| a | b |\n|---|---|\n| 1 | two |\n'
    expect(passages(text)).toHaveLength(1)
  })

  it('leave out badges, comments, NUL and what has no letter', () => {
    const text = '# A\n[![build](b.svg)](ci) <!-- x --> It\u0000s text.\n## B\n* * *\n'
    expect(passages(text).map((passage) => passage.text)).toEqual(['Its text.'])
  })

  it('are titled with the id where there is no heading, and have short titles', () => {
    expect(passages('Text.')[0]?.title).toBe('a/b.md')
    expect(passages(`# ${'word '.repeat(100)}\nText.`)[0]?.title).toHaveLength(120)
  })

  it('are none in an empty document', () => {
    expect(passages('\n\n')).toEqual([])
  })

  it('end at a paragraph where a section is too long', () => {
    const paragraph = `${'A sentence. '.repeat(60).trim()}\n\n`
    const cut = passages(`# A\n${paragraph.repeat(4)}`)
    expect(cut.length).toBeGreaterThan(1)
    expect(new Set(cut.map(({ text }) => text.trim()))).toEqual(new Set([paragraph.trim()]))
  })
})

describe('the pieces of a text', () => {
  it('are no longer than the limit as JSON, and the text when joined', () => {
    const word = fc.constantFrom('a', 'word ', '. ', '\n\n', '\n', '退款。', '😀', '"', '\\')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), fc.integer({ min: 4, max: 80 }), (w, n) => {
        const pieces = piecesOf(w.join(''), n)
        expect(pieces.join('')).toBe(w.join(''))
        for (const piece of pieces) {
          expect(JSON.stringify(piece).length - 2).toBeLessThanOrEqual(n)
          expect(piece.isWellFormed()).toBe(true)
        }
      }),
    )
  })
})

describe('the corpus', () => {
  it('has 300 passages after npm ci, on a machine without documents of its own', () => {
    const found = readCorpus({ debian: '/there/is/no/such/folder' }).flatMap(passagesOf)
    expect(found.length).toBeGreaterThanOrEqual(300)
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
    const documents = new Set(found.map(({ document }) => document))
    for (const id of ['shop/refunds.zh.md', 'perdure/README.md', 'perdure/docs/tools.md']) {
      expect(documents).toContain(id)
    }
    expect(documents).toContain('zod/README.md')
    // With the frame that read_doc puts around it, the longest is no observation that is cut.
    const longest = Math.max(...found.map((passage) => JSON.stringify(passage).length))
    expect(longest).toBeLessThan(2_000)
    expect(MAX_PASSAGE).toBeLessThan(longest)
  })

  it('has the READMEs of a Debian machine, packed ones too, and nothing else of it', async () => {
    const debian = join(await freshFolder(), 'doc')
    await mkdir(join(debian, 'bash'), { recursive: true })
    await writeFile(join(debian, 'bash', 'README.Debian.gz'), gzipSync('About bash.'))
    await writeFile(join(debian, 'bash', 'README'), 'Bash.')
    await writeFile(join(debian, 'bash', 'copyright'), 'Copyright.')
    const found = readCorpus({ debian }).filter(({ id }) => id.startsWith('debian/'))
    expect(found).toEqual([
      { id: 'debian/bash/README', text: 'Bash.' },
      { id: 'debian/bash/README.Debian', text: 'About bash.' },
    ])
  })
})
