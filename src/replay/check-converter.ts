import type { LoadedDataConverter, Payload } from '@temporalio/common'
import { decodeFirst } from '../client/history/decode.js'
import { MissingConverterError } from './errors/missing-converter-error.js'
import type { RunHistory } from './run-history.js'

/**
 * Reads what each execution was started with: what a codec wrote cannot be read without it, and every
 * later error would be a riddle.
 *
 * @throws MissingConverterError
 */
export async function checkConverter(
  { id, executions }: RunHistory,
  converter: LoadedDataConverter,
): Promise<void> {
  for (const { events } of executions) {
    const payloads = events[0]?.workflowExecutionStartedEventAttributes?.input?.payloads
    try {
      await decodeFirst(converter, payloads as Payload[] | undefined)
    } catch (cause) {
      const encoding = payloads?.[0]?.metadata?.['encoding'] ?? []
      throw new MissingConverterError(id, Buffer.from(encoding).toString(), { cause })
    }
  }
}
