import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DefinitionError } from '../definition/definition-error.js'
import { UsageError } from './usage-error.js'

const TYPESCRIPT = new Set(['.ts', '.mts', '.tsx'])

/**
 * What a module of the user's exports, be it JavaScript or TypeScript.
 *
 * @param option the option that names it, such as `--agents`, for errors
 * @param file path of the module, from the current folder
 * @throws UsageError when there is no such file, or it throws
 */
export async function importModule(option: string, file: string): Promise<Record<string, unknown>> {
  const path = resolve(file)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`${option}: there is no file ${path}`)
  }
  // Before the first import: Node remembers that it could not read a file.
  if (TYPESCRIPT.has(extname(path))) await registerTsx(option, path)
  try {
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>
  } catch (cause) {
    if (cause instanceof DefinitionError) throw cause
    const told = cause instanceof Error ? (cause.stack ?? String(cause)) : String(cause)
    throw new UsageError(`${option}: ${path} threw when it was loaded:\n${ownLines(told)}`, {
      cause,
    })
  }
}

/** Lets Node import TypeScript, by the tsx of the project that the module is in. */
async function registerTsx(option: string, path: string): Promise<void> {
  // Run from source, this process has tsx already.
  if (extname(import.meta.url) === '.ts') return
  try {
    const folder = dirname(createRequire(path).resolve('tsx/package.json'))
    const api = pathToFileURL(join(folder, 'dist', 'esm', 'api', 'index.mjs')).href
    const { register } = (await import(api)) as { register: () => void }
    register()
  } catch (cause) {
    const message = `${option}: ${path} is TypeScript. Install tsx (npm install -D tsx), or give the compiled .js file.`
    throw new UsageError(message, { cause })
  }
}

/** A stack without what is not the user's. */
function ownLines(stack: string): string {
  const lines = stack.split('\n').filter((line) => !/node_modules|node:internal/.test(line))
  return lines.slice(0, 8).join('\n')
}
