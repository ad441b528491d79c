import { serverConfig } from '../config.js'
import {
  type DevServer,
  type DevServerOptions,
  startDevServer as startServer,
} from '../server/dev-server.js'

/**
 * Starts a Temporal dev server for tests: `temporal` on PATH, else one that is fetched into
 * `PERDURE_DIR` (`.perdure`), on free ports of this machine. TEMPORAL_ADDRESS is not used unless it is
 * handed in as `address`: tests must not run on somebody's server by accident.
 *
 * @throws NoServerError when there is none to start
 * @throws DevServerError when it does not come up, with the end of its stderr
 */
export async function startDevServer(options: DevServerOptions = {}): Promise<DevServer> {
  const { path, dir } = serverConfig()
  return await startServer({ path, dir, ...options })
}
