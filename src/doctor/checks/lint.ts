import type { Check } from '../check.js'
import type { Found } from '../finding.js'
import { type AgentWarning, lintAgent } from '../lint/index.js'

/** Nothing in the definitions makes models call tools wrongly. */
export const lint: Check = {
  name: 'lint',
  needs: ['agents'],
  deadlineMs: 5_000,
  look: async ({ agents = [] }) => {
    const warnings = agents.flatMap(({ manifest }) => lintAgent(manifest))
    if (warnings.length === 0) return [{ status: 'ok', text: 'nothing to say of the tools' }]
    return [...byWords(warnings).values()].map(toFound)
  },
}

/** Agents may share a tool: what is to be said of it is said once. */
function byWords(warnings: readonly AgentWarning[]): Map<string, AgentWarning[]> {
  const groups = new Map<string, AgentWarning[]>()
  for (const warning of warnings) {
    const key = JSON.stringify([warning.tool, warning.rule, warning.text])
    groups.set(key, [...(groups.get(key) ?? []), warning])
  }
  return groups
}

function toFound(same: readonly AgentWarning[]): Found {
  const [{ tool, rule, text, fix }] = same as readonly [AgentWarning]
  const agents = same.map(({ agent }) => agent).join(', ')
  return { status: 'warn', text: `${tool} of ${agents}: ${text} (${rule})`, fix }
}
