import { createParser } from 'eventsource-parser'
import { assembleChunks } from './assemble-chunks.js'
import { ModelError } from './model-error.js'

/**
 * The completion in a response: of a stream, put together from its chunks; else the JSON document. A
 * server that was asked for a stream may answer with a document.
 *
 * @param alive called whenever bytes come
 * @throws ModelError when what came is cut short or no JSON; whatever the network throws
 */
export async function readResponse(response: Response, alive: () => void): Promise<unknown> {
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
  return isStream ? await readStream(response, alive) : parseJson(await readText(response, alive))
}

async function readText(response: Response, alive: () => void): Promise<string> {
  let text = ''
  for await (const piece of pieces(response, alive)) text += piece
  return text
}

async function readStream(response: Response, alive: () => void): Promise<unknown> {
  const chunks: unknown[] = []
  let done = false
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === '[DONE]') done = true
      else if (data.trim() !== '') chunks.push(parseJson(data))
    },
  })
  const reader = pieces(response, alive)
  for (;;) {
    // Some servers keep the connection open after the end. Where the end tells no reason, a break of the
    // connection right after it means that the reply was cut (llama-cpp-python).
    if (done && assembleChunks(chunks).finished) break
    const next = await (done ? within(reader.next(), AFTER_DONE_MS) : reader.next())
    if (next === null || next.done) break
    parser.feed(next.value)
  }
  // The last event of some servers is not followed by an empty line.
  parser.feed('\n\n')
  const { completion, finished } = assembleChunks(chunks)
  // Some servers send null as finish reason of a complete reply; a stream with neither was cut.
  if (!finished && !done) throw new ModelError('The stream was cut short.', CUT)
  return completion
}

/** The value of a promise, or null when it takes longer. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  // Given up, it may still fail.
  promise.catch(() => {})
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Milliseconds in which a connection may break after an end without a reason. */
const AFTER_DONE_MS = 500
const CUT = { status: null, code: 'cut' } as const

async function* pieces(response: Response, alive: () => void): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  for await (const bytes of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    alive()
    yield decoder.decode(bytes, { stream: true })
  }
  yield decoder.decode()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ModelError(`The server's answer is no JSON: ${text}`, {
      status: null,
      code: 'malformed_reply',
      cause,
    })
  }
}
