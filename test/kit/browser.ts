import { type Browser, chromium } from 'playwright-core'
import { environmentVariable, serverConfig } from '../../src/config.js'
import { lookupOnPath } from '../../src/server/path-lookup.js'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** Where Chromium is: `CHROMIUM_PATH`, else the first on PATH. */
async function findChromium(): Promise<string> {
  const given = environmentVariable('CHROMIUM_PATH')
  if (given !== undefined) return given
  const { path } = serverConfig()
  for (const name of NAMES) {
    const [found] = await lookupOnPath(name, path)
    if (found !== undefined) return found
  }
  throw new Error(
    'There is no chromium on PATH. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
  )
}

/**
 * Starts the Chromium of this machine, without a window, and with nothing but 127.0.0.1 to reach: the
 * Temporal UI asks its vendor for news on each page.
 *
 * @throws Error when there is no Chromium; it says what to do
 */
export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: await findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  })
}
