import type { Client } from '@temporalio/client'
import type { RunMemo } from '../../../src/contract/names.js'
import type { StartInput } from '../../../src/contract/run.js'

/** What reached `client.workflow.start`. */
export interface StartCall {
  readonly type: string
  readonly workflowId: string
  readonly taskQueue: string
  readonly args: readonly [StartInput]
  readonly workflowIdReusePolicy: string
  readonly workflowIdConflictPolicy: string
  readonly memo: { readonly perdure: RunMemo }
  readonly staticSummary: string
  readonly staticDetails: string
  readonly priority: object
}

/** How the fake answers. */
export interface ClientScript {
  /** Thrown by `start`. */
  readonly startError?: Error
  /** The memo of the run that has the id. @default that of the start */
  readonly memo?: (own: RunMemo | undefined) => RunMemo | undefined
}

/** The part of Temporal's client that starts and describes a run. */
export function scriptedClient({ startError, memo }: ClientScript = {}) {
  const starts: StartCall[] = []
  const client = {
    workflow: {
      start: async (type: string, options: Omit<StartCall, 'type'>) => {
        starts.push({ type, ...options })
        if (startError !== undefined) throw startError
        return { firstExecutionRunId: 'made' }
      },
      getHandle: () => ({
        describe: async () => {
          const own = starts.at(-1)?.memo.perdure
          const found = memo === undefined ? own : memo(own)
          return {
            runId: 'newest',
            memo: found === undefined ? undefined : { perdure: found },
          }
        },
      }),
    },
  }
  return { client: client as unknown as Client, starts }
}
