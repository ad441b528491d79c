import { expect } from 'vitest'
import type { HistoryEvent } from '../../src/client/history/read-events.js'
import type { JsonObject, RunHandle, RunResult, Step } from '../../src/client.js'
import {
  type ChatRequest,
  type LoggedRequest,
  type Reply,
  type Respond,
  raw,
} from '../../src/testing/index.js'
import { openAIModel } from '../../src/worker.js'
import { attempts } from '../kit/attempts.js'
import { type Harness, type HarnessOptions, startHarness } from '../kit/harness.js'
import { chainOf, resends, stepsOf } from './history.js'

/** One run of a case: how it ended, and everything that it did. */
export interface Outcome {
  /** Null when the run ended with an error. */
  readonly result: RunResult | null
  readonly error: (Error & { readonly reason?: string }) | null
  /** The requests of this run alone. */
  readonly requests: readonly LoggedRequest[]
  readonly steps: readonly Step[]
  /** The events of the whole chain. */
  readonly events: readonly HistoryEvent[]
  readonly run: RunHandle
}

/** What the model says in one run, and what the run is asked. */
export interface Play {
  readonly script?: readonly Reply[]
  /** Instead of `script`; `index` and `attempt` count within the run. */
  readonly respond?: Respond
  /** @default 'test-agent' */
  readonly agent?: string
  readonly input?: string
  readonly context?: JsonObject
  /** Happens while the run is open. */
  readonly during?: (run: RunHandle) => Promise<void>
}

/** Agents, a worker and a model for many runs of one test; they may be open at once. */
export interface Stage extends Harness {
  play(play: Play): Promise<Outcome>
}

/** What a stage is opened with. */
export type StageOptions = Omit<HarnessOptions, 'script' | 'respond'> & {
  /** False: the model is asked for one JSON document instead of a stream. @default true */
  readonly stream?: boolean
}

/** Opens a stage. Every run that is played on it is checked by what holds for all runs. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const plays = new Map<string, Respond>()
  const { stream = true } = options
  const harness = await startHarness({
    makeModel: (baseURL) => openAIModel({ baseURL, stream }),
    ...options,
    // Of a loaded machine no worker may be taken for dead: its calls would be tried again.
    worker: { heartbeatTimeout: '30s', ...options.worker },
    respond: (request, info) =>
      plays.get(runOf(request))?.(request, info) ?? gone('no run of this stage'),
  })
  return {
    ...harness,
    play: async ({ agent = 'test-agent', input = 'Go.', context, during, ...model }) => {
      const name = `[${plays.size + 1}]`
      plays.set(name, counted(model.respond ?? scripted(model.script ?? [])))
      const asked = `${input} ${name}`
      const run = await harness.client.start(agent, {
        input: asked,
        ...(context === undefined ? {} : { context }),
      })
      await during?.(run)
      const end = await run.result().then(
        (result) => ({ result, error: null }),
        (error) => ({ result: null, error }),
      )
      const requests = harness.model.requests.filter(({ body }) => runOf(body) === name)
      const events = await chainOf(harness.client.client, run.id)
      const steps = await stepsOf(harness.client.client, events)
      const outcome: Outcome = { ...end, requests, steps, events, run }
      checkRun(outcome)
      return outcome
    },
  }
}

/** One run on a stage of its own. */
export async function runAgent({
  script,
  respond,
  agent,
  input,
  context,
  during,
  ...stage
}: StageOptions & Play) {
  const given = { script, respond, agent, input, context, during }
  const play = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return await (await openStage(stage)).play(play as Play)
}

/** What holds for every run, however it ends. */
function checkRun({ requests, events }: Outcome): void {
  expect(requests.flatMap(({ violations }) => violations)).toEqual([])
  const failedTasks = events.filter((event) => event.workflowTaskFailedEventAttributes)
  expect(failedTasks).toEqual([])
  for (const event of events) {
    const scheduled = event.activityTaskScheduledEventAttributes
    if (scheduled) expect(scheduled.retryPolicy?.maximumAttempts).toBeGreaterThan(0)
  }
  const asked = attempts(events, 'callModel') + attempts(events, 'summarize')
  expect(requests).toHaveLength(asked + resends(events))
}

/** The texts of the tool messages in a run's last request. */
export function observations({ requests }: Pick<Outcome, 'requests'>): string[] {
  return (requests.at(-1)?.body.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))
}

/** The roles of the messages of one request. */
export function rolesOf(request: LoggedRequest | undefined): string[] {
  return (request?.body.messages ?? []).map(({ role }) => role)
}

/** A request belongs to the run whose number its user message ends in; a summary stands before that one. */
function runOf({ messages }: ChatRequest): string {
  const asked = messages.filter(({ role }) => role === 'user')
  const runs = asked.map(({ content }) => /\[\d+\]$/.exec(String(content))?.[0])
  return runs.find((run) => run !== undefined) ?? ''
}

function counted(respond: Respond): Respond {
  const seen = new Map<string, number>()
  let index = 0
  return (request) => {
    const body = JSON.stringify(request)
    const attempt = (seen.get(body) ?? 0) + 1
    seen.set(body, attempt)
    return respond(request, { index: index++, attempt })
  }
}

function scripted(script: readonly Reply[]): Respond {
  return (_, { index }) => script[index] ?? gone(`the script of ${script.length} is used up`)
}

/** Final, so that a run that asks too often ends at once. */
function gone(message: string): Reply {
  return raw({ error: { message, code: 'bad_test' } }, { status: 410 })
}
