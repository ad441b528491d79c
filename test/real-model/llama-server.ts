import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { guardExit } from '../../src/server/child-guard.js'
import type { RealModel } from './install.js'

/** Milliseconds until the weights are loaded, on a busy machine. */
const READY_MS = 120_000
const STOP_MS = 5_000
const TAIL_CHARS = 2_000

/** llama.cpp's server, running. */
export interface LlamaServer {
  readonly pid: number
  /** For `openaiCompatible`. */
  readonly baseURL: string
  /** Requests for a completion that it has answered, as its access log tells. */
  readonly requests: () => number
  /** The end of what it said, at most 2,000 characters. */
  readonly tail: () => string
  /** SIGTERM to its pid, SIGKILL after 5 s; resolves once it is gone. */
  stop(): Promise<void>
}

/** Starts it on a free port of 127.0.0.1 and waits until it answers. It dies with this process. */
export async function startLlamaServer({ python, weights }: RealModel): Promise<LlamaServer> {
  // Port 0 is the system's choice, which nobody can take in between; uvicorn says which it is.
  const listen = ['--host', '127.0.0.1', '--port', '0']
  const model = ['--model', weights, '--chat_format', 'chatml-function-calling', '--n_ctx', '4096']
  const child = spawn(python, ['-m', 'llama_cpp.server', ...model, ...listen], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const unguard = guardExit(() => child.kill('SIGKILL'))
  let requests = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('"POST /v1/chat/completions')) requests++
  })
  let said = ''
  const address = new Promise<string>((found, failed) => {
    const timer = setTimeout(() => failed(notReady('was not ready in time', said)), READY_MS)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-TAIL_CHARS)
      const url = /running on (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      found(url)
    })
    child.once('error', failed).once('close', () => failed(notReady('ended', said)))
  })
  const stop = async () => {
    unguard()
    if (child.exitCode !== null || child.signalCode !== null) return
    const closed = once(child, 'close')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    child.kill('SIGTERM')
    await closed
    clearTimeout(timer)
  }
  try {
    const baseURL = `${await address}/v1`
    return { pid: child.pid ?? 0, baseURL, requests: () => requests, tail: () => said, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function notReady(what: string, said: string): Error {
  return new Error(`llama.cpp's server ${what}:\n${said}`)
}
