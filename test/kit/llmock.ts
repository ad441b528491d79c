import type { TestContext } from 'vitest'
import { startProcess } from './processes.js'
import { installFromPyPI, orSkip, type PythonPackages } from './python-packages.js'

const VERSION = '0.2.2'
/** The parts that decide what goes over the wire are pinned: a newer one is no news of perdure's. */
const PACKAGES = [`llmock==${VERSION}`, 'fastapi==0.165.0', 'starlette==1.10.0', 'uvicorn==0.54.0']
const IMPORTS = 'llmock.main, uvicorn'

/** One entry of llmock's scenario queue, such as `{ type: 'fail', status: 503, times: 2 }`. */
export interface Behavior {
  readonly type: 'fail' | 'delay' | 'stream_fault' | 'reply' | 'tool_fault' | 'slow_first_token'
  readonly [option: string]: unknown
}

/** What llmock says of a client. */
interface Verdict {
  readonly passed: boolean
  readonly calls: number
  readonly attempts: number
  readonly faults_injected: number
  readonly findings: readonly { readonly code: string; readonly title: string }[]
}

/** A running llmock, ended with the test. */
export interface LLMock {
  /** For `openAIModel`. */
  readonly baseURL: string
  /** Queues what happens to the next requests. */
  script(behaviors: readonly Behavior[]): Promise<void>
  verdict(): Promise<Verdict>
}

let installed: Promise<PythonPackages> | undefined

/** Has pip install llmock, once; what goes wrong is told by {@link startLLMock}. */
export async function installLLMock(): Promise<void> {
  await install().catch(() => undefined)
}

function install(): Promise<PythonPackages> {
  installed ??= installFromPyPI({
    folder: `llmock-${VERSION}`,
    packages: PACKAGES,
    imports: IMPORTS,
  })
  return installed
}

/**
 * Starts PyPI's llmock on a free port of 127.0.0.1, installed by pip into `.perdure` when it is not there.
 * Skips the test, saying why, where it cannot be had; in CI that is a failure.
 */
export async function startLLMock(
  context: TestContext,
  settings: Readonly<Record<string, string>> = {},
): Promise<LLMock> {
  const { python, env } = await orSkip(context, 'llmock', install())
  // Port 0 is the system's choice, which nobody can take in between; uvicorn says which it is.
  const listen = ['--host', '127.0.0.1', '--port', '0', '--no-access-log']
  const server = startProcess(python, ['-m', 'uvicorn', 'llmock.main:app', ...listen], {
    env: { ...env, ...settings },
  })
  await server.says('(Press CTRL+C to quit)')
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.stderr())?.[0]
  if (url === undefined) throw new Error(`llmock did not say where it is:\n${server.stderr()}`)
  return {
    baseURL: `${url}/v1`,
    script: async (behaviors) => {
      const body = JSON.stringify({ behaviors })
      await request(`${url}/_llmock/scenario`, { method: 'POST', body })
    },
    verdict: async () => (await request(`${url}/_llmock/verdict`)) as Verdict,
  }
}

async function request(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`llmock answers ${response.status}: ${text}`)
  return JSON.parse(text)
}
