import type { Agent } from '../definition/define-agent.js'
import { DefinitionError } from '../definition/definition-error.js'

/**
 * Workers of one queue take each other's tasks, so all of them must have the same activities.
 *
 * @param own activities of the caller's that stand beside perdure's
 * @throws DefinitionError for a remote tool on this worker's queue that this worker does not have
 */
export function rejectOwnQueue(
  agents: readonly Agent[],
  taskQueue: string,
  own: object | undefined,
): void {
  for (const { name, manifest } of agents.flatMap((agent) => agent.tools)) {
    if (manifest.remote?.taskQueue !== taskQueue) continue
    if (Object.hasOwn(own ?? {}, manifest.activityType)) continue
    throw new DefinitionError(
      `tool "${name}": its task queue "${taskQueue}" is this worker's own, and workers of one queue take each other's tasks. Give the other worker a queue of its own.`,
    )
  }
}
