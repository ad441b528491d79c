import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Agent } from '../definition/define-agent.js'
import { UsageError } from './usage-error.js'

/**
 * The agents that a module exports, in the order of its exports.
 *
 * @param file path of the module, from the current folder
 * @throws UsageError when there is no such file, or no agent in it
 */
export async function loadAgents(file: string): Promise<Agent[]> {
  const path = resolve(file)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`--agents: there is no file ${path}`)
  const module = (await importModule(path)) as Record<string, unknown>
  const agents = [...new Set(Object.values(module).filter(isAgent))]
  if (agents.length === 0) {
    throw new UsageError(
      `--agents: ${path} exports no agent. Export what defineAgent returns, such as: export const support = defineAgent({ … })`,
    )
  }
  return agents
}

async function importModule(path: string): Promise<unknown> {
  const url = pathToFileURL(path).href
  try {
    return await import(url)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error
    await registerTsx(path)
    return await import(url)
  }
}

/** Lets Node import TypeScript, by the tsx of the project that the module is in. */
async function registerTsx(path: string): Promise<void> {
  try {
    const tsx = (await import(createRequire(path).resolve('tsx/esm/api'))) as {
      register: () => void
    }
    tsx.register()
  } catch {
    throw new UsageError(
      `--agents: this Node cannot import ${path}. Install tsx (npm install -D tsx), or give the compiled .js file.`,
    )
  }
}

function isAgent(value: unknown): value is Agent {
  if (typeof value !== 'object' || value === null) return false
  const { name, manifest, tools } = value as Partial<Agent>
  return typeof name === 'string' && typeof manifest === 'object' && Array.isArray(tools)
}
