import type { ForkOptions, RunHandle, SessionHandle } from '../../src/client.js'
import type { ToolCallInput } from '../../src/contract/activities.js'
import type { Agent } from '../../src/index.js'
import {
  type ChatRequest,
  callTool,
  type ModelServer,
  type ModelServerOptions,
  type Reply,
  say,
} from '../../src/testing/index.js'
import type { RunWorkerOptions } from '../../src/worker.js'

/** One kind of run, to be recorded as a golden history. */
export interface Scenario {
  readonly agents: readonly Agent[]
  readonly model: ModelServerOptions
  /** Activities of remote tools: the worker that records is the other worker too. */
  readonly activities?: Readonly<Record<string, (input: ToolCallInput) => unknown>>
  /** The agent that is asked; another name than the worker's makes a definition error. */
  readonly agent?: string
  /** What the worker keeps cut results in. @default nothing */
  readonly artifacts?: RunWorkerOptions['artifacts']
  /** The run is forked when it has ended, and the fork is recorded. */
  readonly fork?: ForkOptions
  /** Happens while the run is open. */
  readonly during?: (run: RunHandle, model: ModelServer) => Promise<void>
  /** What happens in a session, which is recorded instead of a run; it is closed in the end. */
  readonly session?: (session: SessionHandle, model: ModelServer) => Promise<void>
}

/** A model that calls as long as it is offered tools. */
export function restless(name: string, args: (index: number) => Record<string, string | number>) {
  return (request: ChatRequest, { index }: { readonly index: number }): Reply =>
    request.tools === undefined ? say('That is all I have.') : callTool(name, args(index))
}

/** A model that says these, one after the other. */
export function scripted(...script: readonly Reply[]): ModelServerOptions {
  return { script: [...script] }
}
