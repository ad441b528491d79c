import { resolve } from 'node:path'
import type { Agent } from '../definition/define-agent.js'
import { importModule } from './import-module.js'
import { UsageError } from './usage-error.js'

/**
 * The agents that a module exports, in the order of its exports: each by itself, or in lists.
 *
 * @param file path of the module, from the current folder
 * @throws UsageError when there is no such file, no agent in it, or it throws
 */
export async function loadAgents(file: string): Promise<Agent[]> {
  const module = await importModule('--agents', file)
  const agents = [...new Set(Object.values(module).flat().filter(isAgent))]
  if (agents.length === 0) {
    throw new UsageError(
      `--agents: ${resolve(file)} exports no agent. Export what defineAgent returns, such as: export const support = defineAgent({ … })`,
    )
  }
  return agents
}

function isAgent(value: unknown): value is Agent {
  if (typeof value !== 'object' || value === null) return false
  const { name, manifest, tools } = value as Partial<Agent>
  return typeof name === 'string' && typeof manifest === 'object' && Array.isArray(tools)
}
