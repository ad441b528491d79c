import type { Client } from '@temporalio/client'
import type { RunRecord } from '../../agent/run-record.js'
import type { ForkOrigin } from '../../contract/fork.js'
import { callId } from '../../contract/messages.js'
import { MEMO_KEY, type RunMemo } from '../../contract/names.js'
import type { RunState } from '../../contract/run.js'
import { readChain } from '../history/chain.js'
import type { HistoryEvent } from '../history/read-events.js'
import { RunRecorder } from '../history/run-record.js'
import type { Step, StepCall } from '../history/step.js'
import { readTranscript } from '../history/transcript.js'
import { notFound, type RunStatusName, statusName } from '../run-handle.js'

/** One step of a run, with what it cost. */
export interface OutlinedStep {
  readonly step: number
  readonly model: string
  readonly forced: boolean
  readonly status: Step['status']
  readonly text: string
  readonly calls: readonly StepCall[]
  /** All tokens of its model call; null when the server did not say. */
  readonly tokens: number | null
  /** US dollars of its model call; null when the worker knew no price. */
  readonly costUsd: number | null
  /** Milliseconds of the model call and of the longest of its tool calls. */
  readonly ms: number
  /** True: a step of the run that this one was forked from. */
  readonly inherited: boolean
}

/** A run as it is laid beside another. */
export interface RunOutline {
  readonly id: string
  readonly status: RunStatusName
  /** The run that it was forked from; null for one that began with its first step. */
  readonly forkedFrom: ForkOrigin | null
  /** What the fork has otherwise, in words. */
  readonly changes: readonly string[]
  readonly steps: readonly OutlinedStep[]
  /** Tokens of all model calls, summaries included; inherited steps aside. */
  readonly tokens: number
  /** US dollars of them; null when a model that answered has no price. */
  readonly costUsd: number | null
  /** From its start to its end, or to now, in milliseconds; inherited steps aside. */
  readonly ms: number
}

/** Reads a run from its history; the steps before a fork from that of its origin, where it is still there. */
export async function readOutline(
  client: Client,
  id: string,
  execution?: string,
): Promise<RunOutline> {
  const description = await client.workflow
    .getHandle(id, execution)
    .describe()
    .catch((error: unknown) => {
      throw notFound(error, { client, id })
    })
  const { runId, status, startTime, closeTime } = description
  const converter = client.options.loadedDataConverter
  const recorder = new RunRecorder(converter)
  const events = recorded(readChain(client, { workflowId: id, runId, follow: false }), recorder)
  const { steps, usage, costUsd } = await readTranscript(events, converter, {})
  const forked = forkOf(recorder.record)
  const memo = description.memo?.[MEMO_KEY] as RunMemo | undefined
  return {
    id,
    status: statusName(status.name),
    forkedFrom: forked?.fork?.from ?? null,
    changes: memo?.changes ?? [],
    steps: [...(await inheritedSteps(client, forked)), ...steps.map(outlined)],
    tokens: usage.totalTokens,
    costUsd,
    ms: (closeTime ?? new Date()).getTime() - startTime.getTime(),
  }
}

/** The same events, each taken into the record first. */
async function* recorded(
  events: AsyncIterable<HistoryEvent>,
  recorder: RunRecorder,
): AsyncGenerator<HistoryEvent, void> {
  for await (const event of events) {
    await recorder.take(event)
    yield event
  }
}

/** The state that a fork began with. */
function forkOf({ executions }: RunRecord): RunState | undefined {
  const start = executions[0]?.start
  return start !== undefined && 'state' in start && start.state.fork ? start.state : undefined
}

async function inheritedSteps(
  client: Client,
  forked: RunState | undefined,
): Promise<OutlinedStep[]> {
  if (forked?.fork === undefined) return []
  const { from } = forked.fork
  // Its retention time may be over.
  const origin = await readOutline(client, from.id, from.runId).catch(() => null)
  const texts = new Map(
    forked.messages.flatMap((one) => (one.role === 'tool' ? [[one.id, one.text] as const] : [])),
  )
  return (origin?.steps ?? [])
    .filter(({ step }) => step < from.step)
    .map((step) => ({ ...step, inherited: true, calls: asForked(step, forked.turn, texts) }))
}

/** The calls of an inherited step with the observations that the fork was given. */
function asForked(
  { step, calls }: OutlinedStep,
  turn: number,
  texts: ReadonlyMap<string, string>,
): StepCall[] {
  return calls.map((call, i) => {
    const text = texts.get(callId(turn, step, i + 1))
    // What repeat detection notes comes behind the observation.
    const isSame = text === undefined || text.startsWith(call.observation)
    return isSame ? call : { ...call, observation: text }
  })
}

function outlined({ tokens, calls, ms, ...step }: Step): OutlinedStep {
  return {
    step: step.step,
    model: step.model,
    forced: step.forced,
    status: step.status,
    text: step.text,
    calls,
    tokens: tokens === null ? null : tokens.promptTokens + tokens.completionTokens,
    costUsd: step.costUsd,
    ms: (ms ?? 0) + Math.max(0, ...calls.map((call) => call.ms ?? 0)),
    inherited: false,
  }
}
