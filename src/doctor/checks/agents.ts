import { createActivities } from '../../worker/activities.js'
import type { Check } from '../check.js'

/** The agents can be worked together. */
export const agents: Check = {
  name: 'agents',
  needs: [],
  deadlineMs: 5_000,
  look: async ({ agents: given }) => {
    if (given === undefined) return [{ status: 'skip', text: NONE, fix: 'give --agents <file>' }]
    const models = { nameOf: (name: string) => name, modelOf: unused }
    const worker = { heartbeatTimeoutMs: 10_000, searchAttributes: [] }
    // Throws as a worker would: two agents, or two tools, of one name.
    createActivities({ agents: given, models, worker, draining: new AbortController().signal })
    const tools = new Set(given.flatMap((agent) => agent.tools)).size
    const names = given.map(({ name }) => name).join(', ')
    return [
      { status: 'ok', text: `${count(given.length, 'agent')}: ${names}; ${count(tools, 'tool')}` },
    ]
  },
}

const NONE = 'no agents were given'

function unused(): never {
  throw new Error('no model is asked here')
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}
