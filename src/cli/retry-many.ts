import type { AgentClient } from '../client/agent-client.js'
import { RetryError } from '../client/errors/retry-error.js'
import type { RetryPlan } from '../client/retry/retry-plan.js'
import { counted } from './figures.js'
import { line, styled } from './terminal.js'

/** Runs that are looked at, or reset, at once. */
const AT_ONCE = 8

/** A run that was not retried, and why. */
interface Refused {
  readonly id: string
  readonly reason: string
  readonly message: string
}

/** What retrying many runs would do. */
export interface ManyPlans {
  readonly plans: readonly RetryPlan[]
  readonly refused: readonly Refused[]
}

/** What became of many runs. */
export interface ManyRetried {
  readonly retried: readonly { readonly id: string }[]
  readonly refused: readonly Refused[]
}

/** Plans the retry of the failed runs that fit a filter: the newest run of each id. */
export async function planMany(
  client: AgentClient,
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<ManyPlans> {
  const ids = new Set<string>()
  const failed = `ExecutionStatus IN ('Failed', 'Terminated', 'TimedOut') AND (${query})`
  for await (const { id } of client.list({ query: failed })) {
    ids.add(id)
    if (ids.size === limit) break
  }
  const plans: RetryPlan[] = []
  const refused: Refused[] = []
  await each([...ids], async (id) => {
    try {
      plans.push(await client.planRetry(id))
    } catch (error) {
      // What is open or completed by now was retried before: a later run of its id.
      const isOver = error instanceof RetryError && ['open', 'completed'].includes(error.reason)
      if (!isOver) refused.push(refusal(id, error))
    }
  })
  return { plans, refused }
}

/** Retries what was planned. One that cannot be is no reason to leave the others. */
export async function retryMany(client: AgentClient, found: ManyPlans): Promise<ManyRetried> {
  const retried: { id: string }[] = []
  const refused = [...found.refused]
  await each(found.plans, async (plan) => {
    try {
      await client.retry(plan.id, plan)
      retried.push({ id: plan.id })
    } catch (error) {
      refused.push(refusal(plan.id, error))
    }
  })
  return { retried, refused }
}

/** Prints how many runs would be retried, which calls that repeats, and what is left. */
export function printSummary(stream: NodeJS.WriteStream, { plans, refused }: ManyPlans): void {
  const all = plans.flatMap(({ again }) => again)
  const writes = all.filter(({ kind }) => kind === 'write')
  const models = all.filter(({ kind }) => kind === 'model').length
  line(
    stream,
    `${counted(plans.length, 'run')} to retry, ${counted(refused.length, 'run')} that cannot be`,
  )
  for (const [why, runs] of tally(plans.map((plan) => plan.why))) {
    line(stream, `  ${counted(runs, 'run')}: ${why}`)
  }
  line(
    stream,
    `Made again: ${counted(models, 'model call')}, ${counted(all.length - models, 'tool call')}`,
  )
  for (const [name, calls] of tally(writes.map((call) => call.name))) {
    const done = writes.filter((call) => call.name === name && call.was === 'done').length
    const before = done === 0 ? '' : ` (${done} of them done before)`
    const text = `  write  ${name}, ${counted(calls, 'call')}${before}, with the idempotency keys that they had`
    line(stream, styled(stream, 'yellow', text))
  }
  for (const { id, reason } of refused)
    line(stream, styled(stream, 'dim', `  not ${id}: ${reason}`))
}

/** How often each text is there, the most frequent first. */
function tally(texts: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

function refusal(id: string, error: unknown): Refused {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return { id, reason: error instanceof RetryError ? error.reason : name, message }
}

/** Works on a few at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
