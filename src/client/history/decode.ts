import {
  defaultFailureConverter,
  defaultPayloadConverter,
  type LoadedDataConverter,
  type Payload,
} from '@temporalio/common'

/** For what Temporal itself writes. */
export const PLAIN: LoadedDataConverter = {
  payloadConverter: defaultPayloadConverter,
  failureConverter: defaultFailureConverter,
  payloadCodecs: [],
}

/** The first value of a list of payloads, through the codecs in use. Undefined when there is none. */
export async function decodeFirst(
  { payloadConverter, payloadCodecs }: LoadedDataConverter,
  payloads: readonly Payload[] | null | undefined,
): Promise<unknown> {
  const first = payloads?.[0]
  if (first === undefined) return undefined
  let decoded: Payload[] = [first]
  for (const codec of payloadCodecs.toReversed()) decoded = await codec.decode(decoded)
  return payloadConverter.fromPayload(decoded[0] as Payload)
}
