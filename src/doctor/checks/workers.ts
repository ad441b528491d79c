import type { Check } from '../check.js'
import type { Found } from '../finding.js'
import { type Pollers, readPollers } from '../pollers.js'

/** Milliseconds after which a live worker polls again: a poll waits for a minute. */
const ALIVE_MS = 70_000
/** Identities that are named. */
const MAX_NAMED = 5

/** Workers poll the task queue, for workflow and for activity tasks. */
export const workers: Check = {
  name: 'workers',
  needs: ['namespace'],
  deadlineMs: 10_000,
  look: async ({ client, namespace, taskQueue, clock }) => {
    const pollers = await readPollers(client, { namespace, taskQueue })
    const { aheadMs } = await clock().catch(() => ({ aheadMs: 0 }))
    return [judge(pollers, { taskQueue, now: Date.now() - aheadMs })]
  },
}

function judge(
  pollers: Pollers,
  { taskQueue, now }: { readonly taskQueue: string; readonly now: number },
): Found {
  const alive = (seen: ReadonlyMap<string, number>) =>
    [...seen].filter(([, at]) => now - at < ALIVE_MS).map(([identity]) => identity)
  const workflow = alive(pollers.workflow)
  const activity = alive(pollers.activity)
  const all = [...new Set([...workflow, ...activity])].sort()
  const queue = `task queue "${taskQueue}"`
  if (all.length === 0) {
    const last = Math.max(...pollers.workflow.values(), ...pollers.activity.values())
    const ago = Number.isFinite(last) ? ` (the last was seen ${seconds(now - last)} s ago)` : ''
    return { status: 'fail', text: `no worker polls ${queue}${ago}`, fix: START }
  }
  const named = all.slice(0, MAX_NAMED).join(', ')
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : ''
  const text = `${all.length} ${all.length === 1 ? 'worker polls' : 'workers poll'} ${queue}: ${named}${more}`
  const lacking = workflow.length === 0 ? 'workflow' : activity.length === 0 ? 'activity' : null
  if (lacking === null) return { status: 'ok', text }
  return { status: 'fail', text: `${text}, but none for ${lacking} tasks`, fix: START }
}

const START =
  'start one: perdure worker --agents <file>. If one runs, compare its task queue, namespace and address'

function seconds(ms: number): number {
  return Math.round(ms / 1000)
}
