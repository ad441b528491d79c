import { AgentClient } from '../../src/client.js'
import { historyText } from './history-text.js'

/** Searches the histories of all runs of a task queue, payloads decoded, for what must not be there. */
export async function runsThatHold(
  secret: string,
  { address, taskQueue }: { readonly address: string; readonly taskQueue: string },
): Promise<{ readonly runs: number; readonly leaks: readonly string[] }> {
  const agents = await AgentClient.connect({ address, environment: false, taskQueue })
  const leaks: string[] = []
  let runs = 0
  for await (const { id } of agents.list({ query: `TaskQueue = '${taskQueue}'` })) {
    runs++
    const { events } = await agents.client.workflow.getHandle(id).fetchHistory()
    if (historyText(events).includes(secret)) leaks.push(id)
  }
  await agents.close()
  return { runs, leaks }
}
