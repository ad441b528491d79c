import { onTestFinished } from 'vitest'
import { serverConfig } from '../../src/config.js'
import { type DevServer, startDevServer } from '../../src/testing/index.js'

type Options = Omit<Parameters<typeof startDevServer>[0], 'dir' | 'headless' | 'path'>

/**
 * A Temporal server of the test's own. Call it before the test starts workers: what is registered first is
 * ended last, and a worker that loses its server before it stops fails to.
 */
export async function startOwnServer(options: Options): Promise<DevServer> {
  const { path, dir } = serverConfig()
  const server = await startDevServer({ path, dir, headless: true, ...options })
  onTestFinished(() => server.kill())
  return server
}
