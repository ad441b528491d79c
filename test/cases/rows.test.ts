import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The 36 rows of the collection of faults that users of agents reported. */
const ROWS =
  `B01 B02 B04 B08 B09 B11 B12 B14 B16 B17 B18 B19 B20 B21 B22 B24 B25 B26 B27 B28 B29 B30 B32 B34 B35
  B36 B37 B38 B39 B41 B42 B43 B45 B46 B47 B48`.split(/\s+/)

test('every row has a test', () => {
  const folder = new URL('.', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts'))
  const code = files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n')
  const found = new Set(code.match(/(?<=['"`])B\d\d(?= · )/g))
  expect([...found].toSorted()).toEqual(ROWS)
})
