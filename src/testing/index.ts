export type { DevServer, DevServerOptions } from '../server/dev-server.js'
export { DevServerError } from '../server/dev-server-error.js'
export { NoServerError } from '../server/no-server-error.js'
export {
  type AnswerOptions,
  type CallOptions,
  callTool,
  callTools,
  empty,
  type RawOptions,
  raw,
  refuse,
  say,
  sse,
} from './answers.js'
export { checkRequest } from './check-request.js'
export { startDevServer } from './dev-server.js'
export {
  cutJson,
  cutStream,
  delay,
  drip,
  hang,
  html,
  reset,
  type StatusOptions,
  status,
} from './faults.js'
export { type ModelServer, type ModelServerOptions, startModelServer } from './model-server.js'
export type { Answer, AnswerCall, FaultPlace, RawReply, Reply } from './reply.js'
export type { LogCondition, LoggedRequest, WaitOptions } from './request-log.js'
export type { ReplySource, Respond, RespondInfo } from './respond.js'
export type { Rule, Violation } from './violation.js'
export type { ChatMessage, ChatRequest, ChatTextPart, ChatTool, ChatToolCall } from './wire.js'
