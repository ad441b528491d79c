import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import type { JsonObject } from '../../contract/json.js'
import { UPDATE, WAITING_KEY, type WaitingMemo } from '../../contract/names.js'
import type { PendingRequest } from '../../contract/requests.js'
import type { AnswerInput, ApproveInput } from '../../contract/session.js'
import { RunNotFoundError } from '../errors/run-not-found-error.js'
import { SessionError } from '../errors/session-error.js'
import { sendUpdate } from './send-update.js'

/** Options of `approve`. */
export interface ApproveOptions {
  /** Who approves; recorded. @default not told */
  readonly by?: string
  /** What the call runs with instead of the model's own arguments; checked by the tool's schema. */
  readonly args?: JsonObject
  /** True: this tool needs no approval any more in this turn. @default false */
  readonly all?: boolean
}

/** Options of `deny`. */
export interface DenyOptions {
  /** Who denies; recorded. @default not told */
  readonly by?: string
  /** Why; the model reads it. @default none */
  readonly reason?: string
}

/** Options of `answer`. */
export interface AnswerOptions {
  /** Who answers; recorded. @default not told */
  readonly by?: string
  /** The id of the question. @default the only one that waits */
  readonly id?: string
}

/** What people can do with a run or a session that waits for them. */
export interface PeopleHandle {
  /** What it waits for; none of one that works or has ended. Read from the server: needs no worker. */
  pendingApprovals(): Promise<readonly PendingRequest[]>
  /**
   * Lets a call run.
   *
   * @param id of the call, as `pendingApprovals` tells it
   * @throws SessionError `not_waiting`, `invalid_arguments`
   */
  approve(id: string, options?: ApproveOptions): Promise<void>
  /**
   * Does not let a call run: the model reads why, and goes on.
   *
   * @throws SessionError `not_waiting`
   */
  deny(id: string, options?: DenyOptions): Promise<void>
  /**
   * Answers what the model asked by `ask_user`.
   *
   * @throws SessionError `not_waiting`
   */
  answer(text: string, options?: AnswerOptions): Promise<void>
}

/** The people's side of a workflow of perdure. */
export function peopleHandle(client: Client, id: string): PeopleHandle {
  const send = async (name: string, input: ApproveInput | AnswerInput): Promise<void> => {
    try {
      await sendUpdate(client, id, { name, args: [input], isIdempotent: false })
    } catch (error) {
      throw await ended(client, id, error)
    }
  }
  return {
    pendingApprovals: async () => {
      try {
        const { status, memo } = await client.workflow.getHandle(id).describe()
        return status.name === 'RUNNING' ? ((memo?.[WAITING_KEY] ?? []) as WaitingMemo) : []
      } catch (error) {
        throw await ended(client, id, error)
      }
    },
    approve: async (call, options = {}) =>
      send(UPDATE.approve, { id: call, approved: true, ...options }),
    deny: async (call, options = {}) =>
      send(UPDATE.approve, { id: call, approved: false, ...options }),
    answer: async (text, options = {}) => send(UPDATE.answer, { text, ...options }),
  }
}

/** The error for a workflow that is not open any more, or never was; any other error as it is. */
export async function ended(client: Client, id: string, error: unknown): Promise<unknown> {
  if (!(error instanceof WorkflowNotFoundError)) return error
  const { namespace } = client.options
  try {
    const { status } = await client.workflow.getHandle(id).describe()
    const message = `it is ${status.name.toLowerCase()}, and takes nothing any more.`
    return new SessionError(id, 'ended', message, { cause: error })
  } catch {
    return new RunNotFoundError(id, namespace, { cause: error })
  }
}
