/** Where the model is, as the environment says. */
export interface ModelConfig {
  readonly apiKey: string | undefined
  readonly baseURL: string | undefined
  /** Replaces the model that the agents name. */
  readonly model: string | undefined
}

/** `OPENAI_API_KEY`, `OPENAI_BASE_URL` and `OPENAI_MODEL`; empty ones count as not set. */
export function modelConfig(env: NodeJS.ProcessEnv = process.env): ModelConfig {
  return {
    apiKey: text(env['OPENAI_API_KEY']),
    baseURL: text(env['OPENAI_BASE_URL']),
    model: text(env['OPENAI_MODEL']),
  }
}

/** Where a Temporal server may be found, as the environment says. */
export interface ServerConfig {
  /** `TEMPORAL_ADDRESS`: a server that is there already. */
  readonly address: string | undefined
  /** `PATH`: where a `temporal` command may be. */
  readonly path: string
  /** `PERDURE_DIR`: the folder for what perdure fetches and keeps. @default '.perdure' */
  readonly dir: string
}

/** `TEMPORAL_ADDRESS`, `PATH` and `PERDURE_DIR`. */
export function serverConfig(env: NodeJS.ProcessEnv = process.env): ServerConfig {
  return {
    address: text(env['TEMPORAL_ADDRESS']),
    path: env['PATH'] ?? '',
    dir: text(env['PERDURE_DIR']) ?? '.perdure',
  }
}

/** `PERDURE_UI_URL`: the base address of the Temporal UI, for links to runs. */
export function uiUrlConfig(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return text(env['PERDURE_UI_URL'])
}

/** `PERDURE_TASK_QUEUE`: the task queue of client and worker, where none is given. */
export function taskQueueConfig(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return text(env['PERDURE_TASK_QUEUE'])
}

/** `PERDURE_BUNDLE`: `build` bundles the workflows when a worker starts. @default 'prebuilt' */
export function bundleConfig(env: NodeJS.ProcessEnv = process.env): 'prebuilt' | 'build' {
  return text(env['PERDURE_BUNDLE']) === 'build' ? 'build' : 'prebuilt'
}

/** The value of one variable; undefined when it is not set, or empty. */
export function environmentVariable(
  name: string,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  return text(env[name])
}

/** The environment of this process with some values added, for a process that it starts. */
export function childEnvironment(added: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...added }
}

function text(value: string | undefined): string | undefined {
  const trimmed = value?.trim()
  return trimmed === '' ? undefined : trimmed
}
