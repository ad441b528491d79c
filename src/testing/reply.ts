import type { JsonObject } from '../contract/json.js'
import type { TokenCount } from '../contract/reply.js'

/** One call of an {@link Answer}, as the model "wrote" it. */
export interface AnswerCall {
  readonly name: string
  /** A string is sent as it is, so that it may be anything but JSON. */
  readonly args: JsonObject | string
  /** @default `call_<request>_<place>` */
  readonly id?: string
}

/** A completion: what a model answers when all is well. Made by `say`, `callTool` and so on. */
export interface Answer {
  readonly kind: 'answer'
  readonly text: string | null
  readonly refusal: string | null
  readonly calls: readonly AnswerCall[]
  readonly finishReason: string | null
  /** Null: the reply tells no usage. `estimate`: one token for four characters. */
  readonly usage: TokenCount | null | 'estimate'
}

/** An HTTP response given literally. Made by `raw`, `sse`, `html` and `status`. */
export interface RawReply {
  readonly kind: 'raw'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Where a fault strikes: before the response's headers, or in the middle of its body. */
export type FaultPlace = 'before' | 'body'

/** What the model server does with one request. Plain data; made by the functions beside it. */
export type Reply =
  | Answer
  | RawReply
  | { readonly kind: 'hang'; readonly when: FaultPlace; readonly reply: Answer }
  | { readonly kind: 'reset'; readonly when: FaultPlace; readonly reply: Answer }
  | { readonly kind: 'delay'; readonly ms: number; readonly reply: Reply }
  | {
      readonly kind: 'drip'
      readonly everyMs: number
      readonly bytes: number
      readonly reply: Reply
    }
  | { readonly kind: 'cut-json'; readonly reply: Answer }
  | { readonly kind: 'cut-stream'; readonly done: boolean; readonly reply: Answer }
