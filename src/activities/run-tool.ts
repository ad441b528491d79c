import { ApplicationFailure, Context } from '@temporalio/activity'
import type { z } from 'zod'
import type { ToolCallInput, ToolOutcome } from '../contract/activities.js'
import { FAILURE } from '../contract/failures.js'
import { isRepeatable } from '../contract/manifest.js'
import { callId } from '../contract/messages.js'
import { errorText } from '../contract/observation.js'
import { cut, cutKeeping, messageText } from '../contract/observation-text.js'
import { headEnd } from '../contract/text.js'
import { messageTokens } from '../contract/tokens.js'
import type { Tool } from '../definition/define-tool.js'
import { ToolError } from '../definition/tool-error.js'
import type { ArtifactStore } from './artifact-store.js'
import { check, explain } from './check-schema.js'
import { errorName } from './error-name.js'
import { beating, throwIfAborted } from './heartbeat.js'
import { idempotencyKey } from './idempotency-key.js'
import { fullObservation } from './observation.js'
import type { PromptCache } from './prompt-cache.js'
import { putArtifact } from './put-artifact.js'
import { runKey } from './run-key.js'
import type { Tokenizer } from './tokenizer.js'

/** The activity of one tool. */
export type ToolActivity = (input: ToolCallInput) => Promise<ToolOutcome>

/** What the activity of a tool is made of. */
export interface ToolDependencies {
  readonly cache: PromptCache
  readonly tokenizer: Tokenizer
  /** Keeps what is too large for the run's own state. */
  readonly artifacts: ArtifactStore | undefined
}

/** Bytes of JSON of what was cut that go into the run's own state. */
const MAX_REST_BYTES = 64_000

/** Runs a tool once an attempt and turns whatever comes of it into text, inside the activity. */
export function createToolActivity(tool: Tool, deps: ToolDependencies): ToolActivity {
  const { cache, tokenizer, artifacts } = deps
  return async (input) => {
    const context = Context.current()
    const startedAt = Date.now()
    // The tool's own progress, which each beat tells again.
    let told: unknown = context.info.heartbeatDetails
    const progress = () => told
    const heartbeat = (details?: unknown) => {
      told = details
      context.heartbeat(details)
    }
    const outcome = await beating(context, progress, () =>
      execute(tool, input, { context, heartbeat }),
    ).catch((error: unknown): ToolOutcome => {
      // A ToolError that vouches that nothing happened is believed, whatever else is going on.
      if (!(error instanceof ToolError && error.retryable)) {
        throwIfAborted(context, isRepeatable(tool.manifest))
      }
      return failed(tool, error, context)
    })
    const shown = await keepRest(outcome, input, { context, artifacts, tool, progress, startedAt })
    cache.putObservation(runKey(context.info), input, shown.text)
    const message = { role: 'tool', id: '', text: shown.text } as const
    const { turn, step, call } = input
    return {
      ...shown,
      size: messageTokens(message, await tokenizer()),
      ...(context.info.isLocal ? { at: { turn, step, call }, ms: sinceScheduled(context) } : {}),
    }
  }
}

function sinceScheduled({ info }: Context): number {
  return Math.max(0, Date.now() - info.scheduledTimestampMs)
}

/** Cuts an observation, and keeps what was cut where the agent wants that. */
async function keepRest(
  outcome: ToolOutcome,
  input: ToolCallInput,
  {
    context,
    artifacts,
    tool,
    progress,
    startedAt,
  }: Pick<ToolDependencies, 'artifacts'> & {
    context: Context
    tool: Tool
    progress: () => unknown
    startedAt: number
  },
): Promise<ToolOutcome> {
  // The message of an error was cut before it became JSON, which must stay whole.
  if (outcome.error) return outcome
  if (!input.keepRest) return { ...outcome, text: cut(outcome.text) }
  const { shown, rest } = cutKeeping(outcome.text, callId(input.turn, input.step, input.call))
  if (rest === '') return { ...outcome, text: shown }
  const kept = { ...outcome, text: shown, cut: rest.length }
  const fits = jsonBytes(rest) <= MAX_REST_BYTES
  if (!fits && artifacts !== undefined) {
    const key = idempotencyKey(tool.name, input)
    try {
      const put = () => putArtifact(artifacts, { key, text: rest, context, startedAt })
      await beating(context, progress, put)
      return { ...kept, artifact: key }
    } catch (error) {
      // The tool has done its work: that must not look like a failure.
      context.log.error('artifact store failed', { key, error })
    }
  }
  return { ...kept, rest: fits ? rest : headOf(rest) }
}

/** As much of the beginning as fits. By the average: where the dear characters are first, in more rounds. */
function headOf(rest: string): string {
  const bytes = jsonBytes(rest)
  if (bytes <= MAX_REST_BYTES) return rest
  return headOf(
    rest.slice(0, headEnd(rest, Math.floor((rest.length * MAX_REST_BYTES) / bytes) - 1)),
  )
}

/** JSON writes a control character with six. */
function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}

async function execute(
  tool: Tool,
  input: ToolCallInput,
  { context, heartbeat }: { context: Context; heartbeat: (details?: unknown) => void },
): Promise<ToolOutcome> {
  // Both were checked before; a deployment in between may have changed a schema. Nothing has run yet.
  const args = await parsed(tool.input, input.args)
  if (!args.ok) return refused(args.message)
  const who = tool.context ? await parsed(tool.context, input.context ?? undefined) : undefined
  if (who?.ok === false) return refused("The run's context does not fit this tool.")
  const result = await tool.execute(args.value, {
    context: who === undefined ? input.context : who.value,
    signal: context.cancellationSignal,
    // A hash, which most read-only tools never look at.
    get idempotencyKey() {
      return idempotencyKey(tool.name, input)
    },
    attempt: context.info.attempt,
    heartbeat,
    heartbeatDetails: context.info.heartbeatDetails,
  })
  return { text: fullObservation(result, tool.emptyHint) }
}

type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }

async function parsed(schema: z.ZodType, value: unknown): Promise<Parsed> {
  const checked = await check(schema, value)
  return checked.success
    ? { ok: true, value: checked.data }
    : { ok: false, message: explain(checked.error.issues) }
}

function refused(message: string): ToolOutcome {
  return {
    text: errorText({ error_type: 'invalid_arguments', message, retryable: false }),
    error: true,
  }
}

function failed(tool: Tool, error: unknown, context: Context): ToolOutcome {
  if (error instanceof ToolError) {
    const message = messageText(error.message)
    if (error.retryable) throw ApplicationFailure.retryable(message, FAILURE.toolError)
    const text = errorText({ error_type: 'tool_error', message, retryable: false })
    return { text, error: true }
  }
  // The failure goes to the history and to people who read it: the details stay in this log.
  context.log.error('tool failed', { tool: tool.name, error })
  throw ApplicationFailure.create({
    type: FAILURE.toolFailed,
    message: `${tool.name} threw ${errorName(error)}; the worker's log has the details`,
    nonRetryable: !isRepeatable(tool.manifest),
  })
}
