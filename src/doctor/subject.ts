import type { Client } from '@temporalio/client'
import { connectLazily } from '../client/connect.js'
import { loadProfile, type ProfileOptions } from '../client/profile.js'
import { type ModelConfig, modelConfig, taskQueueConfig } from '../config.js'
import { DEFAULT_TASK_QUEUE } from '../contract/names.js'
import type { Agent } from '../definition/define-agent.js'
import { redactor } from '../models/redact.js'
import { type ClockOffset, clockOffset } from './clock-offset.js'

/** What `perdure doctor` is asked to look at. */
export interface SubjectOptions extends ProfileOptions {
  readonly address?: string
  readonly namespace?: string
  readonly taskQueue?: string
  /** The agents of the worker. @default none are looked at */
  readonly agents?: readonly Agent[]
  /** False: no completion is asked for. @default true */
  readonly completion?: boolean
}

/** A set-up that is looked at. */
export interface Subject {
  /** Connects at its first request. */
  readonly client: Client
  readonly address: string
  readonly namespace: string
  readonly taskQueue: string
  /** Undefined: none were given. */
  readonly agents: readonly Agent[] | undefined
  readonly model: ModelConfig
  readonly completion: boolean
  /** How far this machine's clock is from the server's. Measured once. */
  readonly clock: () => Promise<ClockOffset>
  /** Masks the keys and passwords in use. */
  readonly redact: (text: string) => string
  close(): Promise<void>
}

/** The set-up that options and environment describe. Nothing is connected yet. */
export function createSubject(options: SubjectOptions): Subject {
  const { taskQueue, agents, completion, ...where } = options
  const { client, address = '', close } = connectLazily(where)
  const { apiKey } = loadProfile(options).connectionOptions
  const model = modelConfig()
  let clock: Promise<ClockOffset> | undefined
  return {
    client,
    address,
    namespace: client.options.namespace,
    taskQueue: taskQueue ?? taskQueueConfig() ?? DEFAULT_TASK_QUEUE,
    agents,
    model,
    completion: completion ?? true,
    clock: () => {
      clock ??= clockOffset(client)
      return clock
    },
    redact: redactor({
      keys: [model.apiKey, typeof apiKey === 'string' ? apiKey : undefined],
      urls: [model.baseURL],
    }),
    close,
  }
}
