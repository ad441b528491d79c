import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type * as activities from './activities.js'

const OPTIONS = { startToCloseTimeout: '1 minute' } as const

const { callModel, readPage } = proxyActivities<typeof activities>(OPTIONS)
const local = proxyLocalActivities<typeof activities>(OPTIONS)

/** The least that an agent loop on Temporal can be: two activities a step, and no rule whatsoever. */
export async function floor(question: string): Promise<string> {
  return await loop(question, readPage)
}

/** The same with one activity a step: the tool is a local one. */
export async function floorLocal(question: string): Promise<string> {
  return await loop(question, local.readPage)
}

async function loop(question: string, read: typeof readPage): Promise<string> {
  for (let step = 1; ; step++) {
    const move = await callModel({ question, step })
    if ('answer' in move) return move.answer
    await read(move)
  }
}
