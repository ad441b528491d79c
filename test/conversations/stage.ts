import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { Worker } from '@temporalio/worker'
import { bundleWorkflows } from '../../scripts/bundle-workflows.js'
import { readChain } from '../../src/client/history/chain.js'
import { AgentClient } from '../../src/client.js'
import { type ChatRequest, startModelServer } from '../../src/testing/index.js'
import { startCli, type TestProcess } from '../kit/processes.js'
import { chance } from '../storm/seeded.js'
import { respond } from './model.js'
import { playConversation } from './play.js'
import { plannedTurns } from './turns.js'

/** How conversations are played. */
export interface StormOptions {
  readonly address: string
  /** How many there are at once. */
  readonly count: number
  /** Worker processes. */
  readonly workers: number
  /** Milliseconds between two kills at least, and at most. */
  readonly every: readonly [number, number]
  /** How long a call waits for approval. @default '20 seconds' */
  readonly deadline?: string
  /** Decides when which worker is killed. */
  readonly seed: number
  readonly taskQueue: string
  readonly onEnd: (end: () => Promise<void>) => void
  readonly log?: (line: string) => void
}

/** What came of it. */
export interface StormResult {
  /** What is wrong: empty when nothing was lost, nothing came twice and all was in order. */
  readonly faults: readonly string[]
  readonly kills: number
  readonly turns: number
  readonly requests: number
  readonly seconds: number
}

/** Plays conversations at once while workers are killed at random moments. */
export async function stormConversations(options: StormOptions): Promise<StormResult> {
  const { address, count, taskQueue, onEnd, log = () => {} } = options
  const ledger = await mkdtemp(join(tmpdir(), 'perdure-ledger-'))
  onEnd(() => rm(ledger, { recursive: true, force: true }))
  await mkdir(ledger, { recursive: true })
  const last = new Map<string, ChatRequest>()
  const model = await startModelServer({
    respond: (request) => {
      last.set(conversationOf(request), request)
      return respond(request)
    },
  })
  onEnd(() => model.close())
  const client = await AgentClient.connect({ address, taskQueue })
  onEnd(() => client.close())
  const start = () => startWorker(options, { model: model.url, ledger })
  const workers = await Promise.all(Array.from({ length: options.workers }, start))
  const startedAt = Date.now()
  const killing = new AbortController()
  const killed = killAtRandom(workers, start, { ...options, signal: killing.signal })
  const ids = Array.from({ length: count }, (_, i) => `${taskQueue}-${i}`)
  let done = 0
  const played = Promise.all(
    ids.map(async (id) => {
      const answers = await playConversation(client, id)
      done++
      log(`conversation ${done} of ${count}`)
      return faultsOf(id, answers, last.get(id))
    }),
  )
  // The killing ends with the conversations, however they end.
  await played.catch(() => {})
  killing.abort()
  const kills = await killed
  const faults = await played
  for (const worker of workers) worker.signal('SIGTERM')
  return {
    faults: [
      ...faults.flat(),
      ...(await paymentFaults(ids, ledger)),
      ...(await replayFaults(client, ids)),
    ],
    kills,
    turns: ids.flatMap(plannedTurns).length,
    requests: model.requests.length,
    seconds: Math.round((Date.now() - startedAt) / 1_000),
  }
}

/** Replays every execution of the conversations: on a worker of its own each must do again what it did. */
async function replayFaults({ client }: AgentClient, ids: readonly string[]): Promise<string[]> {
  const workflowsPath = resolve('src/workflows/index.ts')
  const workflowBundle = { code: await bundleWorkflows(workflowsPath) }
  const faults: string[] = []
  for (const id of ids) {
    const { runId } = await client.workflow.getHandle(id).describe()
    for (const execution of await executionsOf(client, id, runId)) {
      const history = await client.workflow.getHandle(id, execution).fetchHistory()
      await Worker.runReplayHistory({ workflowBundle }, history, id).catch((error: unknown) => {
        faults.push(`${id} ${execution}: ${error}`)
      })
    }
  }
  return faults
}

async function executionsOf(client: Client, workflowId: string, runId: string): Promise<string[]> {
  const ids = new Set([runId])
  for await (const event of readChain(client, { workflowId, runId, follow: false })) {
    const started = event.workflowExecutionStartedEventAttributes
    if (started?.originalExecutionRunId) ids.add(started.originalExecutionRunId)
  }
  return [...ids]
}

async function startWorker(
  { address, taskQueue, onEnd, deadline }: StormOptions,
  { model, ledger }: { readonly model: string; readonly ledger: string },
): Promise<TestProcess> {
  const agents = resolve('test/conversations/agents.ts')
  const quick = ['--heartbeat-timeout', '2s', '--sticky-timeout', '1s', '--grace-time', '2s']
  const worker = startCli(['worker', '--agents', agents, '--task-queue', taskQueue, ...quick], {
    onEnd,
    env: {
      TEMPORAL_ADDRESS: address,
      OPENAI_BASE_URL: model,
      OPENAI_API_KEY: undefined,
      OPENAI_MODEL: undefined,
      TEST_LEDGER: ledger,
      TEST_DEADLINE: deadline,
    },
  })
  await worker.says('polls task queue')
  return worker
}

async function killAtRandom(
  workers: TestProcess[],
  start: () => Promise<TestProcess>,
  { every: [least, most], seed, signal }: StormOptions & { readonly signal: AbortSignal },
): Promise<number> {
  for (let kills = 0; ; kills++) {
    const pause = least + chance(seed, 'pause', kills) * (most - least)
    await sleep(pause, undefined, { signal }).catch(() => {})
    if (signal.aborted) return kills
    const victim = Math.floor(chance(seed, 'victim', kills) * workers.length)
    workers[victim]?.signal('SIGKILL')
    await workers[victim]?.exited
    workers[victim] = await start()
  }
}

function faultsOf(id: string, answers: readonly string[], last: ChatRequest | undefined): string[] {
  const turns = plannedTurns(id)
  const wrong = turns.flatMap(({ number, answer }, i) =>
    answers[i] === `${number}: ${answer}`
      ? []
      : [`${id}: turn ${number} has "${answers[i]}" in the place of "${number}: ${answer}"`],
  )
  const said = turns.flatMap(({ question, steering }) => [question, steering ?? []].flat())
  const seen = (last?.messages ?? [])
    .filter(({ role, content }) => role === 'user' && !`${content}`.includes('asks you to stop'))
    .map(({ content }) => `${content}`)
  return seen.join('\n') === said.join('\n')
    ? wrong
    : [...wrong, `${id}: the last prompt has ${JSON.stringify(seen)}`]
}

async function paymentFaults(ids: readonly string[], ledger: string): Promise<string[]> {
  const files = await readdir(ledger)
  const paid = await Promise.all(files.map((file) => readFile(join(ledger, file), 'utf8')))
  const due = ids.flatMap((id) =>
    plannedTurns(id).flatMap(({ number, paid: amount }) =>
      amount === null ? [] : [JSON.stringify({ order: `${id}-${number}`, amount })],
    ),
  )
  const [is, must] = [paid.toSorted().join('\n'), due.toSorted().join('\n')]
  return is === must ? [] : [`paid were\n${is}\nin the place of\n${must}`]
}

function conversationOf({ messages }: ChatRequest): string {
  const first = messages.find(({ role }) => role === 'user')
  return /^\[(.+?)\]/.exec(`${first?.content}`)?.[1] ?? ''
}
