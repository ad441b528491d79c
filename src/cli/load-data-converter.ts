import { resolve } from 'node:path'
import type { DataConverter } from '@temporalio/common'
import { importModule } from './import-module.js'
import { UsageError } from './usage-error.js'

const FIELDS = ['payloadCodecs', 'payloadConverterPath', 'failureConverterPath']

/**
 * The data converter that a module exports, under any name.
 *
 * @param file path of the module, from the current folder
 * @throws UsageError when there is no such file, no converter in it, or it throws
 */
export async function loadDataConverter(file: string): Promise<DataConverter> {
  const module = await importModule('--data-converter', file)
  const found = Object.values(module).find(isConverter)
  if (found !== undefined) return found
  throw new UsageError(
    `--data-converter: ${resolve(file)} exports no converter. Export what the worker is given, such as: export const dataConverter = { payloadCodecs: [ … ] }`,
  )
}

function isConverter(value: unknown): value is DataConverter {
  return typeof value === 'object' && value !== null && FIELDS.some((field) => field in value)
}
