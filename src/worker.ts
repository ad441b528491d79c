export type { ArtifactStore } from './activities/artifact-store.js'
export type { Prices } from './activities/prices.js'
export type { TokenizerName } from './activities/tokenizer.js'
export { type FileArtifactsOptions, fileArtifacts } from './artifacts/file-artifacts.js'
export { MissingS3ClientError } from './artifacts/missing-s3-client-error.js'
export { type S3ArtifactsOptions, type S3Sender, s3Artifacts } from './artifacts/s3-artifacts.js'
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
  runWorker,
} from './worker/create-worker.js'
export { MissingModelError } from './worker/missing-model-error.js'
export { type ModelRegistry, type OpenAICompatible, openaiCompatible } from './worker/models.js'
export { SdkMismatchError } from './worker/sdk-mismatch-error.js'
export type { RunWorkerOptions } from './worker/worker-options.js'
