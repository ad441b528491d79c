import { isObject } from '../contract/json.js'

/** What a payload's encoding looks like, such as `json/plain`. */
const ENCODING = /^[\w.+-]+\/[\w.+-]+$/

/**
 * A payload in protobuf's JSON, from any form in which Temporal's tools write one: as it is, with base64
 * taken off (the UI's "Human Readable"), or as its bare value.
 */
export function payloadJson(json: unknown): unknown {
  if (!isObject(json) || !isObject(json['metadata'])) return plainPayload(json)
  const { metadata, data } = json
  const encoding = metadata['encoding']
  if (typeof encoding !== 'string') return plainPayload(json)
  if (ENCODING.test(Buffer.from(encoding, 'base64').toString('latin1'))) return json
  return {
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([key, text]) => [key, base64(String(text))]),
    ),
    ...(data === undefined ? {} : { data: readableData(encoding, data) }),
  }
}

/** Only JSON is taken out of its base64. */
function readableData(encoding: string, data: unknown): unknown {
  return encoding.startsWith('json/') ? base64(JSON.stringify(data)) : data
}

function plainPayload(value: unknown): unknown {
  return {
    metadata: { encoding: base64('json/plain') },
    data: base64(JSON.stringify(value)),
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
