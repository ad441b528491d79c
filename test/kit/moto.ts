import { beforeAll, type TestContext } from 'vitest'
import { startProcess } from './processes.js'
import { INSTALL_TIMEOUT_MS, installFromPyPI, orSkip } from './python-packages.js'

/** Without the extra `server`: that brings what other services need, and doubles the size. */
const MOTO = {
  folder: 'moto-5.2.5',
  packages: ['moto[s3]==5.2.5', 'flask==3.1.3', 'flask-cors==6.0.5'],
  imports: 'moto.server, flask_cors, moto.s3.models',
}

/**
 * PyPI's moto, an S3 server, on a free port for all tests of a file; installed by pip into `.perdure` when
 * it is not there. The result resolves to its URL, or skips the test, saying why, where it cannot be had.
 */
export function useMoto(): (context: TestContext) => Promise<string> {
  let started: Promise<string> | undefined
  beforeAll(async () => {
    const ends: (() => Promise<void>)[] = []
    started = start((end) => ends.push(end))
    await started.catch(() => undefined)
    return async () => {
      for (const end of ends) await end()
    }
  }, INSTALL_TIMEOUT_MS)
  return async (context) => await orSkip(context, 'moto', started ?? Promise.reject('no moto'))
}

async function start(onEnd: (end: () => Promise<void>) => void): Promise<string> {
  const { python, env } = await installFromPyPI(MOTO)
  const listen = ['-m', 'moto.server', '-H', '127.0.0.1', '-p', '0']
  const server = startProcess(python, listen, { env, onEnd })
  await server.says('Press CTRL+C to quit')
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.stdout() + server.stderr())?.[0]
  if (url === undefined) throw new Error(`moto did not say where it is:\n${server.stderr()}`)
  return url
}
