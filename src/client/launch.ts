import { randomUUID } from 'node:crypto'
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import type { Priority } from '@temporalio/common'
import { MEMO_KEY, type RunMemo, WORKFLOW_TYPE } from '../contract/names.js'
import type { RunInput } from '../contract/run.js'
import { InputMismatchError } from './errors/input-mismatch-error.js'
import { RunOpenError } from './errors/run-open-error.js'

/** A run that was started or found. */
export interface StartedRun {
  readonly id: string
  /** An execution of its chain. */
  readonly runId: string
  readonly attached: boolean
}

/** What a run is launched with. */
export interface Launch {
  readonly id: string
  readonly taskQueue: string
  readonly input: RunInput
  readonly memo: Omit<RunMemo, 'startId'>
  /** True: the id must not have an open run. False: such a run is found, if it was started with the same. */
  readonly isNew: boolean
  readonly staticSummary: string
  readonly staticDetails: string
  readonly priority: Priority
}

/**
 * Starts the workflow of a run, or finds the one that has its id.
 *
 * @throws InputMismatchError, RunOpenError
 */
export async function launch(client: Client, options: Launch): Promise<StartedRun> {
  const { id, input, isNew, taskQueue, staticSummary, staticDetails, priority } = options
  const memo: RunMemo = { ...options.memo, startId: randomUUID() }
  try {
    const handle = await client.workflow.start(WORKFLOW_TYPE, {
      workflowId: id,
      taskQueue,
      args: [input],
      workflowIdReusePolicy: isNew ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: isNew ? 'FAIL' : 'USE_EXISTING',
      memo: { [MEMO_KEY]: memo },
      staticSummary,
      staticDetails,
      priority,
    })
    // Temporal does not tell whether this start made the run: the memo does.
    return isNew
      ? { id, runId: handle.firstExecutionRunId, attached: false }
      : await find(client, id, memo)
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    if (isNew) throw new RunOpenError(id, { cause: error })
    return await find(client, id, memo)
  }
}

/** Finds the run of an id and compares what it was started with. */
async function find(client: Client, id: string, own: RunMemo): Promise<StartedRun> {
  const description = await client.workflow.getHandle(id).describe()
  const memo = description.memo?.[MEMO_KEY] as RunMemo | undefined
  if (memo?.inputDigest !== own.inputDigest) throw new InputMismatchError(id)
  return { id, runId: description.runId, attached: memo.startId !== own.startId }
}
