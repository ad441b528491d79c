import { describe, expect, it } from 'vitest'
import { loadDataConverter } from '../../../src/cli/load-data-converter.js'
import { moduleFile } from './modules.js'

describe('the data converter of a module', () => {
  it.each([
    ['export const dataConverter = { payloadCodecs: [] }', { payloadCodecs: [] }],
    [
      `export const a = 1; export default { payloadConverterPath: '/x' }`,
      { payloadConverterPath: '/x' },
    ],
  ])('is what it exports: %s', async (text, converter) => {
    expect(await loadDataConverter(await moduleFile(text, 'converter.mjs'))).toEqual(converter)
  })

  it('that exports none is told what to export', async () => {
    const file = await moduleFile('export const codec = {}, nothing = null', 'converter.mjs')
    await expect(loadDataConverter(file)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/^--data-converter: .* exports no converter\. Export what/),
    })
  })

  it('that is not there is named with the option', async () => {
    await expect(loadDataConverter('nowhere.js')).rejects.toThrow(
      /^--data-converter: there is no file/,
    )
  })
})
