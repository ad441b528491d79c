import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** What `defineAgent` returns, as far as the command line looks. */
export function agentText(name: string): string {
  return `{ name: ${JSON.stringify(name)}, manifest: {}, tools: [] }`
}

/** A module in a folder of its own, gone after the test. Resolves with its path. */
export async function moduleFile(text: string, name = 'agents.mjs'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-agents-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}
