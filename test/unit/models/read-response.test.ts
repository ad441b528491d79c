import { describe, expect, it } from 'vitest'
import { readCompletion } from '../../../src/models/read-completion.js'
import { readResponse } from '../../../src/models/read-response.js'

const SSE = 'text/event-stream; charset=utf-8'
const HI = { choices: [{ index: 0, delta: { content: 'Hi 😀 天気' }, finish_reason: null }] }
const STOP = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
const DONE = 'data: [DONE]\n\n'

/** A response whose body comes in pieces of `size` bytes; it never ends if `open`. */
function response(
  body: string,
  {
    type = SSE,
    size = 1_000_000,
    open = false,
  }: { type?: string; size?: number; open?: boolean } = {},
): Response {
  const bytes = new TextEncoder().encode(body)
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size))
      else if (!open) controller.close()
      else return new Promise(() => {})
      at += size
      return undefined
    },
  })
  return new Response(stream, { headers: { 'content-type': type } })
}

function event(chunk: unknown): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}

const nobody = () => {}

async function textOf(body: string, options: Parameters<typeof response>[1] = {}): Promise<string> {
  return readCompletion(await readResponse(response(body, options), nobody)).text
}

describe('a stream', () => {
  const WHOLE = event(HI) + event(STOP) + DONE

  it.each([1, 2, 3, 7, 1_000])('may come in pieces of %i bytes', async (size) => {
    expect(await textOf(WHOLE, { size })).toBe('Hi 😀 天気')
  })

  it.each([
    ['with CRLF', WHOLE.replaceAll('\n', '\r\n')],
    ['with CR', WHOLE.replaceAll('\n', '\r')],
    ['with a byte order mark', `\ufeff${WHOLE}`],
    [
      'with comments as keep-alive',
      `: hi\n\n:\n\n${event(HI)}: ping\n\n: ping\n${event(STOP)}${DONE}`,
    ],
    ['with event names and ids', `event: message\nid: 1\nretry: 5\n${WHOLE}`],
    ['without a space after the colon', WHOLE.replaceAll('data: ', 'data:')],
    ['with empty events', `data:\n\ndata: \n\n${WHOLE}`],
    ['with a chunk on two lines', event(HI).replace(',"finish', ',\ndata: "finish') + event(STOP)],
    ['with something after its end', `${WHOLE}${event({ choices: [] })}no SSE at all`],
    ['without a last empty line', (event(HI) + event(STOP)).trimEnd()],
    ['with a mark of its end that no empty line follows', `${event(HI)}data: [DONE]`],
  ])('may come %s', async (_what, body) => {
    expect(await textOf(body)).toBe('Hi 😀 天気')
    expect(await textOf(body, { size: 1 })).toBe('Hi 😀 天気')
  })

  it('is done with its mark, though the connection stays open', async () => {
    expect(await textOf(WHOLE, { open: true })).toBe('Hi 😀 天気')
  })

  it('without [DONE] is complete when it has a finish reason', async () => {
    expect(await textOf(event(HI) + event(STOP))).toBe('Hi 😀 天気')
  })

  it('without a finish reason is complete when it has [DONE] (B22)', async () => {
    expect(await textOf(event(HI) + DONE)).toBe('Hi 😀 天気')
  })

  it.each([
    ['with neither', event(HI)],
    ['within an event', event(HI) + event(STOP).slice(0, 20)],
    ['before its first event', ''],
    ['after a comment', ': hi\n\n'],
    ['before its mark is complete', `${event(HI)}data: [DO`],
    [
      'with an empty finish reason',
      event({ choices: [{ delta: { content: 'x' }, finish_reason: '' }] }),
    ],
  ])('that ends %s was cut (B22)', async (_what, body) => {
    await expect(readResponse(response(body), nobody)).rejects.toMatchObject({
      name: 'ModelError',
      status: null,
      code: expect.stringMatching(/^(cut|malformed_reply)$/),
    })
  })

  it('with an event that is no JSON is malformed, and shows it', async () => {
    await expect(
      readResponse(response(`${event(HI)}data: <html>\n\n${DONE}`), nobody),
    ).rejects.toMatchObject({ status: null, code: 'malformed_reply', message: /<html>/ })
  })

  it('with an error in its middle is that error', async () => {
    const body = event(HI) + event({ error: { message: 'overloaded' } }) + DONE
    await expect(readResponse(response(body), nobody)).rejects.toMatchObject({
      message: 'overloaded',
    })
  })

  it('that breaks throws what the network threw', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull: () => Promise.reject(new TypeError('terminated')),
    })
    const broken = new Response(stream, { headers: { 'content-type': SSE } })
    await expect(readResponse(broken, nobody)).rejects.toThrow('terminated')
  })
})

describe('a document', () => {
  const JSON_TYPE = 'application/json'
  const body = JSON.stringify({ choices: [{ message: { content: 'Hi 😀 天気' } }] })

  it.each([1, 2, 3, 1_000])('may come in pieces of %i bytes', async (size) => {
    expect(await textOf(body, { type: JSON_TYPE, size })).toBe('Hi 😀 天気')
  })

  it('may begin with a byte order mark, and end with spaces', async () => {
    expect(await textOf(`\ufeff${body}\r\n `, { type: JSON_TYPE })).toBe('Hi 😀 天気')
  })

  it('is read whatever it is called, but a stream', async () => {
    expect(await textOf(body, { type: 'text/plain' })).toBe('Hi 😀 天気')
    expect(await textOf(body, { type: '' })).toBe('Hi 😀 天気')
  })

  it.each([
    ['HTML', '<!doctype html><h1>hi</h1>', 'text/html'],
    ['cut JSON', '{"choices":[{"mess', JSON_TYPE],
    ['nothing', '', JSON_TYPE],
  ])('that is %s is malformed', async (_what, text, type) => {
    await expect(readResponse(response(text, { type }), nobody)).rejects.toMatchObject({
      name: 'ModelError',
      status: null,
      code: 'malformed_reply',
      message: expect.stringContaining(text),
    })
  })

  it('may have no body at all', async () => {
    await expect(readResponse(new Response(null), nobody)).rejects.toMatchObject({
      code: 'malformed_reply',
    })
  })
})

describe('life', () => {
  it.each([SSE, 'application/json'])('is told with each piece of a %s', async (type) => {
    const body = type === SSE ? event(HI) + DONE : '{"choices":[]}'
    let told = 0
    await readResponse(response(body, { type, size: 1 }), () => {
      told++
    })
    expect(told).toBe(new TextEncoder().encode(body).length)
  })
})
