import type { Client } from '@temporalio/client'
import type { AgentClient } from '../../src/client.js'

/** How a stack's runs are started: as its own guide says. */
interface Clients {
  readonly client: Client
  /** On the task queue of the stack. */
  readonly agents: AgentClient
  readonly taskQueue: string
}

/** One way to run an agent on Temporal. */
export interface Stack {
  readonly name: string
  /** What it is, in a few words. */
  readonly what: string
  /** True: its packages are in `bench/peers`. */
  readonly isPeer?: true
  /** True: its tool waits, so it needs no warm-up of its own on a worker that is warm. */
  readonly isSlow?: true
  /** The module of its worker process; stacks of one module share the process. */
  readonly worker: URL
  /** Starts one run with the workflow id `id`. */
  start(clients: Clients, id: string, question: string): Promise<unknown>
  /** The answer in what the workflow returned. */
  answer(result: unknown): unknown
}
