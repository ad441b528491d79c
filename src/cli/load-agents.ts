import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Agent } from '../definition/define-agent.js'
import { DefinitionError } from '../definition/definition-error.js'
import { UsageError } from './usage-error.js'

const TYPESCRIPT = new Set(['.ts', '.mts', '.tsx'])

/**
 * The agents that a module exports, in the order of its exports: each by itself, or in lists.
 *
 * @param file path of the module, from the current folder
 * @throws UsageError when there is no such file, no agent in it, or it throws
 */
export async function loadAgents(file: string): Promise<Agent[]> {
  const path = resolve(file)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`--agents: there is no file ${path}`)
  }
  const module = (await importModule(path)) as Record<string, unknown>
  const agents = [...new Set(Object.values(module).flat().filter(isAgent))]
  if (agents.length === 0) {
    throw new UsageError(
      `--agents: ${path} exports no agent. Export what defineAgent returns, such as: export const support = defineAgent({ … })`,
    )
  }
  return agents
}

async function importModule(path: string): Promise<unknown> {
  // Before the first import: Node remembers that it could not read a file.
  if (TYPESCRIPT.has(extname(path))) await registerTsx(path)
  try {
    return await import(pathToFileURL(path).href)
  } catch (cause) {
    if (cause instanceof DefinitionError) throw cause
    const told = cause instanceof Error ? (cause.stack ?? String(cause)) : String(cause)
    throw new UsageError(`--agents: ${path} threw when it was loaded:\n${ownLines(told)}`, {
      cause,
    })
  }
}

/** Lets Node import TypeScript, by the tsx of the project that the module is in. */
async function registerTsx(path: string): Promise<void> {
  // Run from source, this process has tsx already.
  if (extname(import.meta.url) === '.ts') return
  try {
    const folder = dirname(createRequire(path).resolve('tsx/package.json'))
    const api = pathToFileURL(join(folder, 'dist', 'esm', 'api', 'index.mjs')).href
    const { register } = (await import(api)) as { register: () => void }
    register()
  } catch (cause) {
    const message = `--agents: ${path} is TypeScript. Install tsx (npm install -D tsx), or give the compiled .js file.`
    throw new UsageError(message, { cause })
  }
}

/** A stack without what is not the user's. */
function ownLines(stack: string): string {
  const lines = stack.split('\n').filter((line) => !/node_modules|node:internal/.test(line))
  return lines.slice(0, 8).join('\n')
}

function isAgent(value: unknown): value is Agent {
  if (typeof value !== 'object' || value === null) return false
  const { name, manifest, tools } = value as Partial<Agent>
  return typeof name === 'string' && typeof manifest === 'object' && Array.isArray(tools)
}
