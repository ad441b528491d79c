import { proxyActivities } from '@temporalio/workflow'
import type * as activities from './activities.js'

const { callModel, readPage } = proxyActivities<typeof activities>({
  startToCloseTimeout: '1 minute',
})

/** The least that an agent loop on Temporal can be: two activities a step, and no rule whatsoever. */
export async function floor(question: string): Promise<string> {
  for (let step = 1; ; step++) {
    const move = await callModel({ question, step })
    if ('answer' in move) return move.answer
    await readPage(move)
  }
}
