export type { TokenizerName } from './activities/tokenizer.js'
export { NamespaceError } from './client/errors/namespace-error.js'
export { ServerUnreachableError } from './client/errors/server-unreachable-error.js'
export type { Prompt } from './contract/prompt.js'
export { DefinitionError } from './definition/definition-error.js'
export type { Model, RawCall, RawReply } from './models/model.js'
export { ModelError, type ModelErrorFacts } from './models/model-error.js'
export { type OpenAIOptions, openAIModel } from './models/openai.js'
export {
  type AgentWorker,
  createWorker,
  type RunWorkerOptions,
  runWorker,
} from './worker/create-worker.js'
export { MissingModelError } from './worker/missing-model-error.js'
export { type ModelRegistry, type OpenAICompatible, openaiCompatible } from './worker/models.js'
export { SdkMismatchError } from './worker/sdk-mismatch-error.js'
