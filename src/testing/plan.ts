import { completionChunks, completionJson, type ReplyContext } from './completion.js'
import type { Answer, Reply } from './reply.js'

/** What to do on the wire, step by step: every {@link Reply} comes down to this. */
export interface Plan {
  /** Milliseconds before anything is sent. */
  readonly delayMs: number
  /** Null: not even the headers are sent. */
  readonly head: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
  } | null
  /** The body, in the pieces in which it is written. */
  readonly pieces: readonly Buffer[]
  /** Milliseconds between two pieces. */
  readonly everyMs: number
  readonly end: 'close' | 'hang' | 'reset'
}

const NOTHING: Plan = { delayMs: 0, head: null, pieces: [], everyMs: 0, end: 'close' }

/** Turns a reply into what happens on the wire, for a streamed or a plain request. Pure. */
export function planReply(reply: Reply, context: ReplyContext): Plan {
  switch (reply.kind) {
    case 'answer':
      return isStreamed(context) ? streamed(reply, context) : plain(completionJson(reply, context))
    case 'raw':
      return { ...NOTHING, head: reply, pieces: [Buffer.from(reply.body)] }
    case 'hang':
    case 'reset':
      return reply.when === 'before'
        ? { ...NOTHING, end: reply.kind }
        : { ...halved(planReply(reply.reply, context)), end: reply.kind }
    case 'delay': {
      const plan = planReply(reply.reply, context)
      return { ...plan, delayMs: plan.delayMs + reply.ms }
    }
    case 'drip': {
      const plan = planReply(reply.reply, context)
      return { ...plan, pieces: sliced(plan.pieces, reply.bytes), everyMs: reply.everyMs }
    }
    case 'cut-json':
      return cutJson(reply.reply, context)
    case 'cut-stream':
      return cutStream(reply.reply, reply.done, context)
  }
}

function isStreamed({ request }: ReplyContext): boolean {
  return request.stream === true
}

function plain(json: string): Plan {
  const body = Buffer.from(json)
  // A fault that cuts the body later leaves the length of the whole in the headers, as real ones.
  const headers = { 'content-type': 'application/json', 'content-length': `${body.length}` }
  return { ...NOTHING, head: { status: 200, headers }, pieces: [body] }
}

function events(data: readonly string[]): Plan {
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  }
  const pieces = data.map((text) => Buffer.from(`data: ${text}\n\n`))
  return { ...NOTHING, head: { status: 200, headers }, pieces }
}

function streamed(answer: Answer, context: ReplyContext): Plan {
  const { content, end } = completionChunks(answer, context)
  return events([...content, ...end, '[DONE]'])
}

function cutJson(answer: Answer, context: ReplyContext): Plan {
  if (!isStreamed(context)) return plain(half(completionJson(answer, context)))
  const { content, end } = completionChunks(answer, context)
  return events([...content, ...end.slice(0, 1).map(half)])
}

function cutStream(answer: Answer, done: boolean, context: ReplyContext): Plan {
  if (isStreamed(context)) {
    const { content } = completionChunks(answer, context)
    return events(done ? [...content, '[DONE]'] : content)
  }
  return done
    ? plain(completionJson({ ...answer, finishReason: null }, context))
    : cutJson(answer, context)
}

function half(text: string): string {
  return text.slice(0, Math.floor(text.length / 2))
}

function halved(plan: Plan): Plan {
  const body = Buffer.concat(plan.pieces)
  return { ...plan, pieces: [body.subarray(0, Math.floor(body.length / 2))] }
}

function sliced(pieces: readonly Buffer[], bytes: number): Buffer[] {
  const body = Buffer.concat(pieces)
  const count = Math.ceil(body.length / bytes)
  return Array.from({ length: count }, (_, i) => body.subarray(i * bytes, (i + 1) * bytes))
}
