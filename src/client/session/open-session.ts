import { createHash, randomUUID } from 'node:crypto'
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
} from '@temporalio/client'
import { canonicalJson } from '../../contract/json.js'
import { MEMO_KEY, type RunMemo, SESSION_TYPE } from '../../contract/names.js'
import type { SessionEnd, SessionInput } from '../../contract/session.js'
import { InputMismatchError } from '../errors/input-mismatch-error.js'
import { SessionError } from '../errors/session-error.js'
import { statusName } from '../run-handle.js'
import type { CheckedSession } from './session-options.js'

/** A session that was started, found, or opened again. */
export interface OpenedSession {
  readonly runId: string
  readonly attached: boolean
}

/**
 * Starts the workflow of a session, finds the open one of its id, or opens a closed one again with its
 * conversation.
 *
 * @throws InputMismatchError when the id belongs to another agent, another context, or a run
 * @throws SessionError `ended` when the session of the id failed, was cancelled or terminated
 */
export async function openSession(
  client: Client,
  taskQueue: string,
  session: CheckedSession,
): Promise<OpenedSession> {
  const own = memoOf(session)
  try {
    const { agent, context, settings } = session
    const input = { agent, context: context ?? null, settings }
    return await begin(client, { taskQueue, session, own, input, isFirst: true })
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    return await reopen(client, { taskQueue, session, own })
  }
}

interface Opening {
  readonly taskQueue: string
  readonly session: CheckedSession
  readonly own: RunMemo
}

async function begin(
  client: Client,
  { taskQueue, session, own, input, isFirst }: Opening & { input: SessionInput; isFirst: boolean },
): Promise<OpenedSession> {
  const { id } = session
  await client.workflow.start(SESSION_TYPE, {
    workflowId: id,
    taskQueue,
    args: [input],
    workflowIdReusePolicy: isFirst ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    memo: { [MEMO_KEY]: own },
    staticSummary: `${session.agent} · session`,
    staticDetails: `- agent: **${session.agent}**\n- in the terminal: \`perdure chat ${session.agent} --id ${id}\``,
  })
  const description = await client.workflow.getHandle(id).describe()
  const { startId } = checked(description, session, own)
  return { runId: description.runId, attached: startId !== own.startId }
}

async function reopen(
  client: Client,
  { taskQueue, session, own }: Opening,
): Promise<OpenedSession> {
  const { id } = session
  const handle = client.workflow.getHandle(id)
  const description = await handle.describe()
  const { inputDigest } = checked(description, session, own)
  if (description.status.name !== 'COMPLETED') {
    const how = statusName(description.status.name)
    throw new SessionError(id, 'ended', `it is ${how}: start another one under a new id.`)
  }
  const { session: state } = (await handle.result()) as SessionEnd
  const input: SessionInput = { session: state, reopened: true }
  // Whoever opens it again need not tell the context.
  const memo = { ...own, inputDigest }
  return await begin(client, { taskQueue, session, own: memo, input, isFirst: false })
}

/** The memo of the id's workflow, which must be a session like this one. */
function checked(
  { type, memo }: WorkflowExecutionDescription,
  { id, context }: CheckedSession,
  own: RunMemo,
): RunMemo {
  const found = memo?.[MEMO_KEY] as RunMemo | undefined
  const isSame =
    type === SESSION_TYPE &&
    found?.agent === own.agent &&
    (context === undefined || found.inputDigest === own.inputDigest)
  if (found === undefined || !isSame) throw new InputMismatchError(id)
  return found
}

function memoOf({ agent, context }: CheckedSession): RunMemo {
  const hash = createHash('sha256').update(canonicalJson([agent, context ?? null]))
  return { agent, inputDigest: hash.digest('hex'), startId: randomUUID() }
}
