import {
  defaultFailureConverter,
  defaultPayloadConverter,
  type LoadedDataConverter,
  type Payload,
  type PayloadCodec,
} from '@temporalio/common'
import { describe, expect, it } from 'vitest'
import { decodeFirst } from '../../../../src/client/history/decode.js'

/** A codec that puts a letter before the data; it refuses data with another letter. */
function lettered(letter: string): PayloadCodec {
  const code = letter.charCodeAt(0)
  return {
    encode: async (payloads) =>
      payloads.map(({ data, ...rest }) => ({
        ...rest,
        data: Uint8Array.from([code, ...(data ?? [])]),
      })),
    decode: async (payloads) =>
      payloads.map(({ data, ...rest }) => {
        if (data?.[0] !== code) throw new Error(`not encoded with ${letter}`)
        return { ...rest, data: data.subarray(1) }
      }),
  }
}

function converter(...payloadCodecs: PayloadCodec[]): LoadedDataConverter {
  return {
    payloadConverter: defaultPayloadConverter,
    failureConverter: defaultFailureConverter,
    payloadCodecs,
  }
}

function payload(value: unknown): Payload {
  return defaultPayloadConverter.toPayload(value)
}

describe('the first payload', () => {
  it('is decoded, whatever follows', async () => {
    expect(await decodeFirst(converter(), [payload({ a: 1 }), payload(2)])).toEqual({ a: 1 })
  })

  it('goes through the codecs from the last to the first', async () => {
    const [a, b] = [lettered('a'), lettered('b')]
    const encoded = await b.encode(await a.encode([payload({ secret: 1 })]))
    expect(await decodeFirst(converter(a, b), encoded)).toEqual({ secret: 1 })
    await expect(decodeFirst(converter(b, a), encoded)).rejects.toThrow('not encoded with a')
  })

  it.each([undefined, null, []])('of %j is undefined', async (payloads) => {
    expect(await decodeFirst(converter(lettered('a')), payloads)).toBeUndefined()
  })
})
