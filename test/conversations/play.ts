import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AgentClient,
  type PendingRequest,
  SessionError,
  type SessionHandle,
} from '../../src/client.js'
import { type PlannedTurn, plannedTurns } from './turns.js'

/** Milliseconds between two looks. */
const LOOK_MS = 500

/** Plays one conversation to its end: every turn, with what people do in it. Returns the answers. */
export async function playConversation(client: AgentClient, id: string): Promise<string[]> {
  const session = await client.session('talker', { id })
  const answers: string[] = []
  for (const turn of plannedTurns(id)) {
    const asked = Array.from({ length: turn.kind === 'twice' ? 2 : 1 }, () =>
      session.ask(turn.question, { requestId: `${id}-${turn.number}` }),
    )
    const [results] = await Promise.all([Promise.all(asked), intervene(session, turn)])
    const said = new Set(results.map(({ answer, turn: at }) => `${at}: ${answer}`))
    answers.push([...said].join(' | '))
  }
  await session.close()
  return answers
}

async function intervene(session: SessionHandle, turn: PlannedTurn): Promise<void> {
  switch (turn.kind) {
    case 'steer':
      await untilRunning(session, turn.number)
      return await session.steer(`also ${turn.number}`)
    case 'interrupt':
      await untilRunning(session, turn.number)
      return await session.interrupt({ by: 'somebody' })
    case 'approve':
      return await session.approve((await waiting(session)).id, { by: 'somebody' })
    case 'deny':
      return await session.deny((await waiting(session)).id, { by: 'somebody', reason: 'no' })
    case 'edit': {
      const { id, args } = await waiting(session)
      return await session.approve(id, { by: 'somebody', args: { ...args, amount: 80 } })
    }
    case 'plain':
    case 'lookup':
    case 'twice':
    case 'expire':
      return
  }
}

async function untilRunning(session: SessionHandle, turn: number): Promise<void> {
  while ((await patiently(() => session.status())).running !== turn) await sleep(LOOK_MS)
}

async function waiting(session: SessionHandle): Promise<PendingRequest> {
  for (;;) {
    const [first] = await patiently(() => session.pendingApprovals())
    if (first !== undefined) return first
    await sleep(LOOK_MS)
  }
}

/** A query is not answered while no worker is there. */
async function patiently<T>(look: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (!(error instanceof SessionError && error.reason === 'no_worker')) throw error
      await sleep(LOOK_MS)
    }
  }
}
