import type { Info } from '@temporalio/activity'
import { createCallModel } from '../../../src/activities/call-model.js'
import { createChooseStrategy } from '../../../src/activities/choose-strategy.js'
import type { ModelDependencies } from '../../../src/activities/model-attempt.js'
import { PromptCache } from '../../../src/activities/prompt-cache.js'
import { createSummarize } from '../../../src/activities/summarize.js'
import { userMessage } from '../../../src/agent/conversation.js'
import { digestOf } from '../../../src/agent/digest.js'
import type { CallModelInput, SummarizeInput } from '../../../src/contract/activities.js'
import type { Manifest } from '../../../src/contract/manifest.js'
import type { Message } from '../../../src/contract/messages.js'
import type { Prompt } from '../../../src/contract/prompt.js'
import type { PromptPage } from '../../../src/contract/run.js'
import type { Agent } from '../../../src/definition/define-agent.js'
import type { Model } from '../../../src/models/model.js'
import { attempt } from './attempt.js'
import { agentWith, manifestOf, NO_TABLES } from './sample.js'
import { workflowClient } from './workflow-client.js'

/** What a test says of a worker and the attempt that it makes. */
export interface ModelWorkerOptions {
  readonly agent?: Agent
  readonly manifest?: Partial<Manifest>
  readonly info?: Partial<Info>
  /** The conversation. @default the user says hello */
  readonly messages?: readonly Message[]
  /** The workflow's answer to the query for the prompt. @default at once */
  readonly page?: (page: PromptPage) => PromptPage | Promise<PromptPage>
  /** @default a model of any name, which answers by `complete` */
  readonly modelOf?: (name: string) => Model
}

/** A worker whose model answers by `complete`, and one attempt at `callModel`. */
export function modelWorker(complete: Model['complete'], options: ModelWorkerOptions = {}) {
  const { agent = agentWith(), info = {}, page = (given) => given } = options
  const manifest = { ...manifestOf(agent), ...options.manifest }
  const { messages = [userMessage('hello')] } = options
  const { client } = workflowClient(() => page({ kind: 'page', manifest, messages, next: null }))
  const prompts: Prompt[] = []
  const names: string[] = []
  const deps: ModelDependencies = {
    agents: new Map([[agent.name, agent]]),
    modelOf: (name) => {
      names.push(name)
      if (options.modelOf !== undefined) return options.modelOf(name)
      return {
        complete: (prompt, signal) => {
          prompts.push(prompt)
          return complete(prompt, signal)
        },
      }
    },
    cache: new PromptCache(),
    tokenizer: NO_TABLES,
    draining: new AbortController().signal,
  }
  const { env, run } = attempt({ heartbeatTimeoutMs: 10_000, ...info }, client)
  const beats: unknown[] = []
  env.on('heartbeat', (details: unknown) => beats.push(details))
  const input = { turn: 1, step: 1, count: messages.length, digest: digestOf(manifest, messages) }
  return {
    env,
    prompts,
    names,
    beats,
    call: (more: Partial<CallModelInput> = {}) => run(createCallModel(deps), { ...input, ...more }),
    choose: (more: { readonly model?: string } = {}) =>
      run(createChooseStrategy(deps), { ...input, ...more }),
    summarize: (more: Partial<SummarizeInput> = {}) =>
      run(createSummarize(deps), {
        ...input,
        ...{ to: messages.length, goal: null, maxWords: 100 },
        ...more,
      }),
  }
}
