import { isRefusal } from '../../client/errors/grpc.js'
import type { AttributeState } from '../../client/search-attributes/attribute-state.js'
import { probeAttributes } from '../../client/search-attributes/probe-attributes.js'
import { readAttributes } from '../../client/search-attributes/read-attributes.js'
import { howToFree, howToRegister } from '../attribute-advice.js'
import type { Check } from '../check.js'
import type { Found } from '../finding.js'
import type { Subject } from '../subject.js'

/** The search attributes of perdure are there, with the right types. Runs do without; filters do not. */
export const searchAttributes: Check = {
  name: 'search attributes',
  needs: ['namespace'],
  deadlineMs: 10_000,
  look: async (subject) => {
    const { client, namespace } = subject
    try {
      const states = await readAttributes(client.connection.operatorService, namespace)
      return judge(states, 'run: perdure setup', subject)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const states = await probeAttributes(client.workflowService, namespace)
      return judge(states, howToRegister(states.filter(isMissing), subject), subject)
    }
  },
}

function judge(
  states: readonly AttributeState[],
  register: string,
  subject: Subject,
): readonly Found[] {
  const missing = states.filter(isMissing).map(({ name }) => name)
  const taken = states.filter(({ status }) => status === 'other_type')
  const found: Found[] = taken.map((state) => ({
    status: 'fail',
    text: `${state.name} is ${state.found ?? 'of another type'}, and must be ${state.type}`,
    fix: howToFree(state, subject),
  }))
  if (missing.length > 0) {
    const text = `not registered: ${missing.join(', ')}. Runs work, but cannot be filtered by them`
    found.push({ status: 'warn', text, fix: register })
  }
  if (found.length > 0) return found
  return [{ status: 'ok', text: `all ${states.length} are registered` }]
}

function isMissing({ status }: AttributeState): boolean {
  return status === 'missing'
}
