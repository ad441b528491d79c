export type { JsonObject, JsonValue } from './contract/json.js'
export type { Limits, ModelSettings, Strategy, ToolAnnotations } from './contract/manifest.js'
export type { TokenCount, Usage } from './contract/reply.js'
export type { FailureReason, LimitReason, RunResult, StopReason } from './contract/run.js'
export {
  type Agent,
  type AgentOptions,
  type ApprovalOptions,
  defineAgent,
  type LimitOptions,
} from './definition/define-agent.js'
export { defineRemoteTool, type RemoteToolOptions } from './definition/define-remote-tool.js'
export {
  defineTool,
  type Tool,
  type ToolContext,
  type ToolOptions,
} from './definition/define-tool.js'
export { DefinitionError } from './definition/definition-error.js'
export type { MemoryOptions } from './definition/memory.js'
export { ToolError, type ToolErrorOptions } from './definition/tool-error.js'
