import { canonicalJson, type JsonValue } from '../contract/json.js'
import { raw } from './answers.js'
import type { Reply } from './reply.js'
import type { ChatRequest } from './wire.js'
import { errorBody } from './wire.js'

/** What a {@link Respond} function is told beside the request. */
export interface RespondInfo {
  /** Requests that got a reply before this one; those refused with 400 or 401 do not count. */
  readonly index: number
  /** How often this very body has come, this time included: 2 is the first retry. */
  readonly attempt: number
}

/** **Contract:** gives the reply to a request. If it throws, the client gets a 500 that says so. */
export type Respond = (request: ChatRequest, info: RespondInfo) => Reply | Promise<Reply>

/** Where the replies come from: a list that is used in order, or a function. */
export type ReplySource =
  | { readonly script: readonly Reply[]; readonly respond?: never }
  | { readonly respond: Respond; readonly script?: never }

/** A source with its own count of requests. Never rejects. */
export type NextReply = (request: ChatRequest) => Promise<{ reply: Reply; index: number }>

/** Makes one function of both kinds of source. */
export function replySource(source: ReplySource): NextReply {
  const attempts = new Map<string, number>()
  const respond = source.respond ?? fromScript(source.script)
  let count = 0
  return async (request) => {
    const index = count++
    const key = canonicalJson(request as JsonValue)
    const attempt = (attempts.get(key) ?? 0) + 1
    attempts.set(key, attempt)
    try {
      return { reply: await respond(request, { index, attempt }), index }
    } catch (error) {
      return { reply: testFault('respond_failed', `The test's respond() threw: ${error}`), index }
    }
  }
}

/** A 500 that tells what is wrong with the test itself. The openai package does not retry it. */
export function testFault(code: string, message: string): Reply {
  const body = errorBody({ message, type: 'server_error', param: null, code })
  const headers = { 'content-type': 'application/json', 'x-should-retry': 'false' }
  return raw(body, { status: 500, headers })
}

function fromScript(script: readonly Reply[]): Respond {
  return (_request, { index }) =>
    script[index] ??
    testFault(
      'script_exhausted',
      `The script of ${script.length} replies is used up; this is request ${index + 1}.`,
    )
}
