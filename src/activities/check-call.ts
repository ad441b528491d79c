import { ApplicationFailure } from '@temporalio/activity'
import type { AgentActivities } from '../contract/activities.js'
import { FAILURE } from '../contract/failures.js'
import type { Agent } from '../definition/define-agent.js'
import { callHash } from './idempotency-key.js'
import { readArguments } from './read-arguments.js'

/** The activity that checks arguments which a person has changed. No I/O. */
export function createCheckCall(agents: ReadonlyMap<string, Agent>): AgentActivities['checkCall'] {
  return async ({ agent, tool: name, args }) => {
    const tool = agents.get(agent)?.tools.find((one) => one.name === name)
    if (tool === undefined) {
      throw ApplicationFailure.nonRetryable(
        `This worker has no tool "${name}" of agent "${agent}".`,
        FAILURE.unknownAgent,
      )
    }
    const read = await readArguments(args, tool.input)
    if (!read.ok) return { args, problem: read.message }
    const isSent = tool.manifest.remote !== undefined
    return { args: read.args, ...(isSent ? { hash: callHash(name, read.args) } : {}) }
  }
}
