import { readFileSync, rmSync } from 'node:fs'
import { mkdir, open, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readyClusterId } from './server-health.js'

/** What `<database>.json` says about the server that has the database open. */
export interface ServerRecord {
  /** The process that starts the server, or has started it. */
  readonly starter: number
  /** The server's process; `null` until it runs. */
  readonly pid: number | null
  readonly address: string | null
  readonly uiUrl: string | null
  /** Known once the server was ready; kept in the database, so no other server has it. */
  readonly clusterId: string | null
}

/** A server that has the database open and answers. */
export interface RunningServer {
  readonly pid: number
  readonly address: string
  readonly uiUrl: string | null
}

const POLL_MS = 100
/** A start takes up to 30 s; a stop up to 5 s, then the server is killed. The rest is for load. */
const START_WAIT_MS = 35_000
const STOP_WAIT_MS = 10_000
/** A record is created and then written: one that cannot be read yet is younger than this. */
const WRITE_WAIT_MS = 2000

/** The record file that belongs to a database file. */
export function recordFile(dbFile: string): string {
  return `${dbFile}.json`
}

/** The server that has this database open, when there is one and it answers. */
export async function findRunning(dbFile: string): Promise<RunningServer | undefined> {
  const record = await readRecord(recordFile(dbFile))
  return record === undefined ? undefined : await runningServer(record)
}

/**
 * Claims a database for a server about to be started, so that no second one opens the file.
 * Waits for a start or a stop that another process is in the middle of. Whoever died without
 * cleaning up, or does not answer for 35 s (start) or 10 s (stop), loses its claim.
 *
 * @returns the running server when there is one; `undefined` when the claim is ours
 */
export async function claimDatabase(dbFile: string): Promise<RunningServer | undefined> {
  const file = recordFile(dbFile)
  await mkdir(dirname(file), { recursive: true })
  const since = Date.now()
  while (!(await createRecord(file))) {
    const record = await readRecord(file)
    const running = record === undefined ? undefined : await runningServer(record)
    if (running !== undefined) return running
    const givenUp = await isGivenUp(file, record, Date.now() - since)
    if (givenUp) removeRecord(file, (now) => JSON.stringify(now) === JSON.stringify(record))
    else await sleep(POLL_MS)
  }
  return undefined
}

/** Replaces the record in one step, so that no reader sees half of it. */
export async function writeRecord(file: string, record: ServerRecord): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`
  await writeFile(temporary, JSON.stringify(record))
  await rename(temporary, file)
}

/**
 * Gives a claim of this process back, unless another has taken it over.
 *
 * @param pid only if it is still for this server
 */
export function releaseRecord(file: string, pid?: number): void {
  removeRecord(file, (record) => {
    return record?.starter === process.pid && (pid === undefined || record.pid === pid)
  })
}

/** Whether a process with that id exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function createRecord(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx')
    const mine = { starter: process.pid, pid: null, address: null, uiUrl: null, clusterId: null }
    await handle.writeFile(JSON.stringify(mine satisfies ServerRecord))
    await handle.close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Synchronous, so that hardly any time passes for others between the look and the removal. */
function removeRecord(file: string, isIt: (record: ServerRecord | undefined) => boolean): void {
  try {
    if (isIt(parseRecord(readFileSync(file, 'utf8')))) rmSync(file, { force: true })
  } catch {
    // Gone already.
  }
}

async function readRecord(file: string): Promise<ServerRecord | undefined> {
  return parseRecord(await readFile(file, 'utf8').catch(() => ''))
}

function parseRecord(text: string): ServerRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<ServerRecord> | null
    return typeof value?.starter === 'number' ? (value as ServerRecord) : undefined
  } catch {
    return undefined
  }
}

/** Ports and process ids are used again, so the cluster id decides once it is known. */
async function runningServer(record: ServerRecord): Promise<RunningServer | undefined> {
  const { pid, address, uiUrl, clusterId } = record
  if (pid === null || address === null || !isAlive(pid)) return undefined
  const answer = await readyClusterId(address)
  if (answer === undefined || (clusterId !== null && answer !== clusterId)) return undefined
  return { pid, address, uiUrl }
}

async function isGivenUp(
  file: string,
  record: ServerRecord | undefined,
  waitedMs: number,
): Promise<boolean> {
  if (record === undefined) {
    const age = await stat(file).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    return age > WRITE_WAIT_MS
  }
  const { starter, pid, clusterId } = record
  const serverLives = pid !== null && isAlive(pid)
  if (clusterId !== null) return !serverLives || waitedMs > STOP_WAIT_MS
  return !(serverLives || isAlive(starter)) || waitedMs > START_WAIT_MS
}
