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
  for await (const piece of pieces(response, alive)) {
    parser.feed(piece)
    // Some servers keep the connection open after the end.
    if (done) break
  }
  // The last event of some servers is not followed by an empty line.
  parser.feed('\n\n')
  const { completion, finished } = assembleChunks(chunks)
  // Some servers send null as finish reason of a complete reply; a stream with neither was cut.
  if (!finished && !done) throw new ModelError('The stream was cut short.', CUT)
  return completion
}

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
