import type { JsonObject, JsonValue } from '../contract/json.js'

/** A tool call as an OpenAI-compatible request carries it. */
export interface ChatToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: {
    readonly name: string
    /** JSON text. */
    readonly arguments: string
  }
}

/** One part of a user message that is not a plain string. */
export interface ChatTextPart {
  readonly type: 'text'
  readonly text: string
}

/** One message of a request, whatever its role. */
export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly content?: string | readonly ChatTextPart[] | null
  /** Only on assistant messages. */
  readonly tool_calls?: readonly ChatToolCall[]
  /** Only on tool messages: the call that they answer. */
  readonly tool_call_id?: string
  readonly name?: string
}

/** One tool that a request offers to the model. */
export interface ChatTool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description?: string
    /** JSON schema of the arguments. */
    readonly parameters: JsonObject
    readonly strict?: boolean
  }
}

/** The body of `POST /v1/chat/completions`. Fields not named here are kept as they came. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly ChatTool[]
  readonly tool_choice?: JsonValue
  readonly parallel_tool_calls?: boolean
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly temperature?: number
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly [field: string]: unknown
}

/** The body of an error, in OpenAI's form. */
export interface ApiError {
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
}

/** The JSON text of an error answer. */
export function errorBody(error: ApiError): string {
  return JSON.stringify({ error })
}
