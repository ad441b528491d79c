import { mkdir } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { environmentVariable } from '../../src/config.js'
import { run } from './run.js'

/** The version of the compose file's image; a unit test compares them. */
export const TEMPORAL_VERSION = '1.29.1'
const MODULE = 'go.temporal.io/server'

/** A Temporal server that was built here. */
export interface TemporalBuild {
  /** The server's program. */
  readonly server: string
  /** The program that makes its databases, `temporal-sql-tool` in the image. */
  readonly sqlTool: string
  /** Its source, with the database schema and the template of the image's configuration. */
  readonly source: string
}

interface BuildOptions {
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

/**
 * Builds the server and its SQL tool from their Go module, once: they are kept in the user's cache folder,
 * outside of this repository. Takes about 3 minutes of one core, with the least priority.
 */
export async function buildTemporal(options: BuildOptions): Promise<TemporalBuild> {
  const { signal } = options
  await run('go', ['version'], { signal }).catch((cause: unknown) => {
    throw new Error('Go is missing: install Go 1.25 or newer (https://go.dev/dl).', { cause })
  })
  const cache = environmentVariable('XDG_CACHE_HOME') ?? join(homedir(), '.cache')
  const folder = join(cache, 'perdure', `temporal-${TEMPORAL_VERSION}`)
  await mkdir(folder, { recursive: true })
  const build = { server: join(folder, 'server'), sqlTool: join(folder, 'sql') }
  await install(build.server, 'cmd/server', options)
  await install(build.sqlTool, 'cmd/tools/sql', options)
  const described = await run('go', ['mod', 'download', '-json', atVersion(MODULE)], {
    ...AWAY,
    signal,
  })
  const { Dir: source } = JSON.parse(described) as { Dir: string }
  return { ...build, source }
}

/** Not in a folder whose go.mod would be read. */
const AWAY = { cwd: tmpdir() }

async function install(path: string, what: string, { log, signal }: BuildOptions): Promise<void> {
  // A file is no proof: a copy that was cut off is one too.
  if (await run(path, ['--help']).catch(() => false)) return
  log(`building ${what} of Temporal ${TEMPORAL_VERSION} (once, minutes)…`)
  const args = ['-n', '15', 'go', 'install', atVersion(`${MODULE}/${what}`)]
  await run('nice', args, { ...AWAY, env: { GOBIN: dirname(path) }, signal })
}

function atVersion(path: string): string {
  return `${path}@v${TEMPORAL_VERSION}`
}
