import type { Client } from '@temporalio/client'
import type { PromptPage, PromptRequest } from '../../../src/contract/run.js'

/** One query that reached the fake. */
interface AskedQuery {
  readonly workflowId: string
  readonly runId: string | undefined
  readonly name: string
  readonly request: PromptRequest
}

/**
 * The part of Temporal's client that reads a prompt. `answer` stands for the workflow; a request whose
 * signal is aborted rejects, as the client's does.
 */
export function workflowClient(
  answer: (request: PromptRequest) => PromptPage | Promise<PromptPage>,
) {
  const asked: AskedQuery[] = []
  let signal: AbortSignal | undefined
  const client = {
    withDeadline: <T>(_deadline: number, call: () => Promise<T>) => call(),
    withAbortSignal: <T>(given: AbortSignal, call: () => Promise<T>) => {
      signal = given
      return call()
    },
    workflow: {
      getHandle: (workflowId: string, runId?: string) => ({
        query: (name: string, request: PromptRequest) => {
          asked.push({ workflowId, runId, name, request })
          return new Promise<PromptPage>((resolve, reject) => {
            signal?.addEventListener('abort', () => reject(new Error('cancelled on client')))
            Promise.resolve(request).then(answer).then(resolve, reject)
          })
        },
      }),
    },
  }
  return { client: client as unknown as Client, asked }
}
