import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { historyToJson } from '../../../src/replay/history-json.js'
import { exportRun, HistoryFileError, parseHistory } from '../../../src/replay.js'

const FOLDER = new URL('../../sandbox/histories/', import.meta.url)
const TEXT = readFileSync(new URL('answered.json', FOLDER), 'utf8')
const RAW = JSON.parse(TEXT) as { events: Record<string, unknown>[] }
const EVENTS = parseHistory(TEXT, 'raw').executions[0]?.events

/** What a tool that takes base64 off makes of each payload. */
function changed(value: unknown, change: (payload: Payload) => unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => changed(inner, change))
  if (typeof value !== 'object' || value === null) return value
  if ('metadata' in value && 'data' in value) return change(value as Payload)
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, changed(inner, change)]),
  )
}

interface Payload {
  readonly metadata: Readonly<Record<string, string>>
  readonly data: string
}

function decoded({ data }: Payload): unknown {
  return JSON.parse(Buffer.from(data, 'base64').toString())
}

function readable(payload: Payload): unknown {
  const metadata = Object.fromEntries(
    Object.entries(payload.metadata).map(([key, text]) => [
      key,
      Buffer.from(text, 'base64').toString(),
    ]),
  )
  return { metadata, data: decoded(payload) }
}

function shortNames({ eventType, ...event }: Record<string, unknown>): unknown {
  const words = String(eventType)
    .replace('EVENT_TYPE_', '')
    .split('_')
    .map((word) => word[0] + word.slice(1).toLowerCase())
  return { ...event, eventType: words.join('') }
}

/** Without the types of search attributes, which a bare value does not tell, and no replay asks for. */
function plain(events: typeof EVENTS = []): unknown {
  return changed(historyToJson({ events: [...events] }), ({ metadata, data }) => ({
    metadata: { encoding: metadata['encoding'] },
    data,
  }))
}

describe('parseHistory', () => {
  it('tells the id and the run id', () => {
    const { id, executions } = parseHistory(TEXT, 'answered.json')
    expect(id).toBe('answered')
    expect(executions).toEqual([
      { runId: expect.stringMatching(/^[0-9a-f-]{36}$/), events: expect.any(Array) },
    ])
  })

  it.each([
    ['the events alone', RAW.events],
    ['payloads with base64 taken off', changed(RAW, readable)],
    ['payloads that are bare values', changed(RAW, decoded)],
    ['event types in short', { events: RAW.events.map(shortNames) }],
    [
      'fields of a newer server',
      { events: RAW.events.map((one) => ({ ...one, isNew: { a: 1 } })) },
    ],
  ])('reads %s as the same history', (_, json) => {
    const [execution] = parseHistory(JSON.stringify(json), 'other').executions
    expect(plain(execution?.events)).toEqual(plain(EVENTS))
  })

  it('reads a list of payloads in short', () => {
    const short = RAW.events.map((event) => {
      const started = event['workflowExecutionStartedEventAttributes'] as
        | { input: { payloads: Payload[] } }
        | undefined
      if (started === undefined) return event
      const input = started.input.payloads.map(decoded)
      return { ...event, workflowExecutionStartedEventAttributes: { ...started, input } }
    })
    const [execution] = parseHistory(JSON.stringify({ events: short }), 'short').executions
    const [payload] =
      execution?.events[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []
    expect(JSON.parse(Buffer.from(payload?.data ?? []).toString())).toMatchObject({ input: 'Go' })
  })

  it('reads what exportRun wrote, a chain in its order', async () => {
    const parts = ['continued-as-new', 'continued-as-new-2'].map((name) =>
      parseHistory(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'), name),
    )
    const chain = { id: 'chain', executions: parts.flatMap(({ executions }) => executions) }
    const exported = await exportRun(chain)
    expect(exported.manifest).toMatchObject({
      agent: 'test-agent',
      instructions: 'You are under test.',
    })
    const read = parseHistory(JSON.stringify(exported), 'chain.json')
    expect(await exportRun({ ...read, id: 'chain' })).toEqual(exported)
  })

  it.each([
    ['no JSON', 'no', 'it is not JSON'],
    ['another document', '{"name":"x"}', 'it has no events'],
    ['no events', '{"events":[]}', 'its first event is not the start of a run'],
    ['events that are none', '{"events":[{"eventId":{"a":1}}]}', ''],
    ['an export without executions', '{"executions":[]}', 'it has no executions'],
  ])('refuses %s, naming the file and the tools that write histories', (_, text, why) => {
    const parse = () => parseHistory(text, 'x.json')
    expect(parse).toThrow(HistoryFileError)
    expect(parse).toThrow(`x.json is no history: ${why}`)
    expect(parse).toThrow(/perdure export.*temporal workflow show --output json.*download/)
  })
})
