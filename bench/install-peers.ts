import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('./peers/', import.meta.url)

/** Installs the packages of `bench/peers` where they are missing or older than their lock file. */
export async function installPeers(log: (line: string) => void): Promise<void> {
  const wanted = await changed(new URL('package-lock.json', FOLDER))
  // npm writes it when all is in place.
  const installed = await changed(new URL('node_modules/.package-lock.json', FOLDER))
  if (installed >= wanted) return
  log('installing the peers: npm ci --prefix bench/peers (once; about 330 MB)')
  const folder = fileURLToPath(FOLDER)
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
  const npm = spawn('npm', args, {
    // What npm says must not get into the document on stdout.
    stdio: ['ignore', process.stderr, 'inherit'],
    shell: process.platform === 'win32',
  })
  const [code] = await once(npm, 'close')
  if (code === 0) return
  throw new Error(
    `npm ci --prefix bench/peers ended with code ${code}: mend that, or measure --without-peers`,
  )
}

async function changed(file: URL): Promise<number> {
  return await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
