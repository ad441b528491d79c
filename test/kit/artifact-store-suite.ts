import { expect, type TestContext, test } from 'vitest'
import type { ArtifactStore } from '../../src/activities/artifact-store.js'

/** Makes a store for one test; called again with the same place, one more worker's store. */
export type MakeStore = (context: TestContext) => Promise<() => ArtifactStore>

const KEY = '0199e3f2-5a1c-7c38-9a55-0f4a5ad1c1de/1.2.3/0123456789abcdef'
/** A signal of its own for each call, as in activities. */
const signal = () => new AbortController().signal

const ODD_KEYS = [
  '..',
  '.',
  '',
  '/',
  '//',
  '../../outside',
  'a/../b',
  'a/b',
  'a~b',
  'a',
  'A',
  '.hidden',
  'a\\b',
  'a b?c#d%e+f&g=h',
  '%002e',
  'new\nline\0nul',
  'Größe/数据/🎉',
  'con',
  'x'.repeat(300),
  `${'x'.repeat(300)}y`,
  `${'é/'.repeat(200)}`,
]

const TEXTS = [
  '',
  'Größe 数据 🎉👩‍👩‍👧 \u0000\ufeff end\r\n',
  '\ufeffmark',
  '数据 data '.repeat(375_000),
]

/** What holds for every artifact store. */
export function artifactStoreSuite(makeStore: MakeStore): void {
  test('keeps a text under a key, for other workers too', async (context) => {
    const open = await makeStore(context)
    await open().put(KEY, 'what was cut', signal())
    expect(await open().get(KEY, signal())).toBe('what was cut')
  })

  test('knows no text that was not kept', async (context) => {
    const open = await makeStore(context)
    expect(await open().get(KEY, signal())).toBeNull()
  })

  test('the same key again replaces the text', async (context) => {
    const store = (await makeStore(context))()
    await store.put(KEY, 'a longer text, from the first attempt', signal())
    await store.put(KEY, 'second', signal())
    expect(await store.get(KEY, signal())).toBe('second')
  })

  test('gives back any text unchanged', async (context) => {
    const store = (await makeStore(context))()
    for (const [i, text] of TEXTS.entries()) {
      await store.put(`${KEY}${i}`, text, signal())
      // Not with toBe: a difference in millions of characters takes minutes to print.
      expect((await store.get(`${KEY}${i}`, signal())) === text).toBe(true)
    }
  })

  test('keys of any kind stay apart', async (context) => {
    const store = (await makeStore(context))()
    for (const [i, key] of ODD_KEYS.entries()) await store.put(key, `text ${i}`, signal())
    const read = await Promise.all(ODD_KEYS.map((key) => store.get(key, signal())))
    expect(read).toEqual(ODD_KEYS.map((_, i) => `text ${i}`))
  })

  test('ten at once write one key, and one of the texts is there as a whole', async (context) => {
    const open = await makeStore(context)
    const texts = Array.from({ length: 10 }, (_, i) => `${i}`.repeat(200_000))
    await Promise.all(texts.map((text) => open().put(KEY, text, signal())))
    expect(texts).toContain(await open().get(KEY, signal()))
  })

  test('an aborted signal rejects, and nothing is kept', async (context) => {
    const store = (await makeStore(context))()
    const aborted = AbortSignal.abort()
    await expect(store.put(KEY, 'text', aborted)).rejects.toThrow()
    expect(await store.get(KEY, signal())).toBeNull()
    await store.put(KEY, 'text', signal())
    await expect(store.get(KEY, aborted)).rejects.toThrow()
  })

  test('opens, and may be opened again', async (context) => {
    const store = (await makeStore(context))()
    const warnings: string[] = []
    await store.open?.((message) => warnings.push(message))
    await store.open?.((message) => warnings.push(message))
    await store.put(KEY, 'text', signal())
    expect(await store.get(KEY, signal())).toBe('text')
  })
}
