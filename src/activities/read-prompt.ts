import { ApplicationFailure, type Context } from '@temporalio/activity'
import { digestOf } from '../agent/digest.js'
import type { ConversationReference } from '../contract/activities.js'
import { FAILURE } from '../contract/failures.js'
import { isObject, type JsonObject } from '../contract/json.js'
import type { Manifest } from '../contract/manifest.js'
import type { Message } from '../contract/messages.js'
import { QUERY } from '../contract/names.js'
import type { PromptPage, PromptRequest } from '../contract/run.js'
import type { Conversation } from './prompt-cache.js'

/**
 * Milliseconds that one page of the prompt may take. A query needs a worker that polls for workflow
 * tasks: while a lone worker drains it would hang (measured; answers take 6 to 80 ms otherwise).
 */
const DEADLINE_MS = 3_000
/** Looks at one page: on a machine with too much to do, the worker that answers may be late. */
const LOOKS = 5

/**
 * Reads a conversation from its workflow by query, page by page.
 *
 * @throws ApplicationFailure `PromptUnavailable`: retried, but final when the run is at another step
 */
export async function readPrompt(
  context: Context,
  input: ConversationReference,
  draining: AbortSignal,
): Promise<Conversation> {
  const signal = AbortSignal.any([draining, context.cancellationSignal])
  let manifest: Manifest | null = null
  let who: JsonObject | null = null
  const messages: Message[] = []
  for (let from: number | null = 0; from !== null; ) {
    const page = await readPage(context, signal, { turn: input.turn, step: input.step, from })
    if (page.kind === 'stale') throw unavailable('the run is at another step by now', true)
    manifest = page.manifest ?? manifest
    who = page.context ?? who
    messages.push(...page.messages)
    from = page.next
  }
  if (manifest === null || digestOf(manifest, messages) !== input.digest) {
    throw unavailable('the conversation changed while it was read', false)
  }
  return { manifest, messages, context: who }
}

async function readPage(
  { client, info }: Context,
  signal: AbortSignal,
  request: PromptRequest,
): Promise<PromptPage> {
  const { workflowId, runId } = info.workflowExecution ?? { workflowId: '', runId: '' }
  // The run id is explicit: the workflow id alone may mean a later run.
  const handle = client.workflow.getHandle(workflowId, runId)
  for (let look = 1; ; look++) {
    try {
      signal.throwIfAborted()
      return await client.withDeadline(Date.now() + DEADLINE_MS, () =>
        client.withAbortSignal(signal, () =>
          handle.query<PromptPage, [PromptRequest]>(QUERY.prompt, request),
        ),
      )
    } catch (error) {
      const isLate = !signal.aborted && codeOf(error) === DEADLINE_EXCEEDED
      if (!isLate || look === LOOKS) {
        throw unavailable('the workflow did not answer in time', false, error)
      }
    }
  }
}

/** gRPC's code of an answer that did not come in time. */
const DEADLINE_EXCEEDED = 4

function codeOf(error: unknown): unknown {
  const answer = error instanceof Error ? (error.cause ?? error) : error
  return isObject(answer) ? answer['code'] : undefined
}

function unavailable(why: string, nonRetryable: boolean, cause?: unknown): ApplicationFailure {
  return ApplicationFailure.create({
    type: FAILURE.promptUnavailable,
    message: `The prompt could not be read from the workflow: ${why}.`,
    nonRetryable,
    ...(cause instanceof Error ? { cause } : {}),
  })
}
