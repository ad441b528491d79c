import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AgentClient,
  type PendingRequest,
  SessionError,
  type SessionHandle,
} from '../../src/client.js'
import { type PlannedTurn, plannedTurns } from './turns.js'

/** Milliseconds between two looks. */
const LOOK_MS = 200

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
      return await onceRunning(() => session.steer(`also ${turn.number}`))
    case 'interrupt':
      return await onceRunning(() => session.interrupt({ by: 'somebody' }))
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

/** A turn that does not run yet refuses both, and nothing of it is recorded. */
async function onceRunning(say: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await say()
    } catch (error) {
      if (!(error instanceof SessionError && error.reason === 'no_turn')) throw error
      await sleep(LOOK_MS)
    }
  }
}

async function waiting(session: SessionHandle): Promise<PendingRequest> {
  for (;;) {
    const [first] = await session.pendingApprovals()
    if (first !== undefined) return first
    await sleep(LOOK_MS)
  }
}
