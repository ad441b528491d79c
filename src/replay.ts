export { RebuildError } from './agent/rebuild-error.js'
export { RunNotFoundError } from './client/errors/run-not-found-error.js'
export type { Aside } from './client/history/aside.js'
export type { Drift } from './replay/drift.js'
export { HistoryFileError } from './replay/errors/history-file-error.js'
export { MissingConverterError } from './replay/errors/missing-converter-error.js'
export { SecretsFoundError } from './replay/errors/secrets-found-error.js'
export { type ExportedRun, type ExportOptions, exportRun } from './replay/export-run.js'
export { fetchHistory } from './replay/fetch-history.js'
export { type FoundSecret, findSecrets } from './replay/find-secrets.js'
export { parseHistory, readHistory } from './replay/parse-history.js'
export type { PromptSize } from './replay/prompt-sizes.js'
export type { RecordedStep } from './replay/read-run.js'
export {
  type ReplayOptions,
  type RunReplay,
  replayRequest,
  replayRun,
} from './replay/replay-run.js'
export { createReplayer, type Replayer, type ReplayerOptions } from './replay/replayer.js'
export type { RecordedExecution, RunHistory } from './replay/run-history.js'
export type { StepRequestOptions } from './replay/step-request.js'
export type { Command, Divergence, Verdict } from './replay/verdict.js'
export type { RunEnd } from './replay/why-ended.js'
export { SdkMismatchError } from './worker/sdk-mismatch-error.js'
