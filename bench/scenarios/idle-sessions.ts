import { randomUUID } from 'node:crypto'
import type { SessionHandle } from '../../src/client.js'
import { perdure } from '../stacks/index.js'
import type { RunningStack } from '../stacks/running-stack.js'
import { readPages } from '../workload.js'
import type { Effort, Scenario } from './scenario.js'

const SESSIONS: Readonly<Record<Effort, number>> = { full: 1_000, quick: 50 }
/** Sessions that are opened at once. */
const AT_ONCE = 20
const { question, answer } = readPages(1)

/** What conversations cost a worker that nobody speaks in, and how long the next question of one takes. */
export const idleSessions: Scenario = {
  name: 'idle-sessions',
  title: `${SESSIONS.full} idle sessions on one worker`,
  note: 'Each has had one turn of one step. The next question of one of them, chosen from the oldest on, against the first of a new session, which has to be started too; the worker keeps 600 workflows in memory, so that the older ones are replayed first.',
  figures: [
    { name: 'ms', label: 'time of a question', unit: 'ms' },
    { name: 'rssBytes', label: "worker's resident memory", unit: 'MB', hasRatio: false },
    { name: 'rssPerSession', label: 'of these, for a session', unit: 'kB', hasRatio: false },
  ],
  rounds: { full: 60, quick: 5 },
  budget: { full: 60, quick: 10 },
  subjects: async (stage) => {
    await stage.clear()
    const stack = await stage.running(perdure)
    const before = await stack.usage()
    const idle = await openSessions(stack, SESSIONS[stage.effort])
    const after = await stack.usage()
    const rssPerSession = (after.rssBytes - before.rssBytes) / idle.length
    let next = 0
    return [
      {
        name: 'new session',
        measure: async () => ({
          ms: await timed(async () => ask(await openSession(stack))),
          rssBytes: before.rssBytes,
          rssPerSession: Number.NaN,
        }),
      },
      {
        name: 'idle session',
        measure: async () => {
          const session = idle[next++ % idle.length]
          const ms = await timed(async () => session && (await ask(session)))
          return { ms, rssBytes: after.rssBytes, rssPerSession }
        },
      },
    ]
  },
}

async function openSessions(stack: RunningStack, count: number): Promise<SessionHandle[]> {
  const sessions: SessionHandle[] = []
  while (sessions.length < count) {
    const opened = Array.from({ length: AT_ONCE }, async () => {
      const session = await openSession(stack)
      await ask(session)
      return session
    })
    sessions.push(...(await Promise.all(opened)))
  }
  return sessions
}

async function openSession({ agents }: RunningStack): Promise<SessionHandle> {
  return await agents.session('reader', { id: `idle-${randomUUID()}` })
}

async function ask(session: SessionHandle): Promise<void> {
  const result = await session.ask(question)
  if (result.answer !== answer) throw new Error(`${session.id} answered ${result.answer}`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
