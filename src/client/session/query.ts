import type { Client } from '@temporalio/client'
import { GRPC, grpcCode } from '../errors/grpc.js'
import { SessionError } from '../errors/session-error.js'

/** Answers of a server that found no worker to ask, or none in time. */
const NO_WORKER: readonly number[] = [GRPC.deadlineExceeded, GRPC.failedPrecondition]

/**
 * Asks the newest execution of a workflow. Writes nothing to the history.
 *
 * @throws SessionError `no_worker` when no worker answers in time; any other error as it is
 */
export async function query<T>(
  client: Client,
  id: string,
  name: string,
  ...args: readonly object[]
): Promise<T> {
  try {
    return await client.workflow.getHandle(id).query<T, object[]>(name, ...args)
  } catch (error) {
    if (!NO_WORKER.includes(grpcCode(error) ?? -1)) throw error
    const message = 'no worker answered in time: is one running on its task queue?'
    throw new SessionError(id, 'no_worker', message, { cause: error })
  }
}
