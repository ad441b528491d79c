import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** The command line of the package that was built. */
export const BUILT_CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

/** Builds the package: its workers run from `dist/`, with the workflow bundle that ships. */
export async function build(log: (line: string) => void): Promise<void> {
  log('npm run build')
  const npm = spawn('npm', ['run', '--silent', 'build'], {
    cwd: ROOT,
    // What npm says must not get into the document on stdout.
    stdio: ['ignore', process.stderr, 'inherit'],
    shell: process.platform === 'win32',
  })
  const [code] = await once(npm, 'close')
  if (code !== 0) throw new Error(`npm run build ended with code ${code}`)
}
