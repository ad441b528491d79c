import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SEARCH_ATTRIBUTES } from '../../src/contract/names.js'
import {
  type DevServer,
  type DevServerOptions,
  startDevServer,
} from '../../src/server/dev-server.js'
import { isAlive } from '../../src/server/server-record.js'

const SOURCE = fileURLToPath(new URL('../../src/server/dev-server.ts', import.meta.url))
const common: DevServerOptions = {
  path: process.env['PATH'],
  dir: fileURLToPath(new URL('../../.perdure', import.meta.url)),
  log: (line) => console.log(line),
}
/** The first run may fetch the server. */
const TIMEOUT_MS = 180_000

let folder: string
const running: DevServer[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-server-'))
})

afterEach(async () => {
  for (const server of running.splice(0)) await server.kill()
  await rm(folder, { recursive: true, force: true })
})

async function start(options: DevServerOptions = {}): Promise<DevServer> {
  const server = await startDevServer({ ...common, headless: true, ...options })
  running.push(server)
  return server
}

async function withConnection<T>(
  { address }: Pick<DevServer, 'address'>,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({ address })
  try {
    return await use(connection)
  } finally {
    await connection.close()
  }
}

/** Another process that starts a server, prints it, and goes on with `then`. */
async function startElsewhere(dbFile: string, then: string) {
  const options = JSON.stringify({ path: common.path, dir: common.dir, dbFile, headless: true })
  const script = `
    const { startDevServer } = await import(${JSON.stringify(SOURCE)})
    const server = await startDevServer(${options})
    console.log(JSON.stringify({ pid: server.pid, address: server.address, kind: server.kind }))
    ${then}`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const server = JSON.parse(line.toString()) as { pid: number; address: string; kind: string }
  return { child: child as ChildProcess, exited, server }
}

async function isGone(pid: number): Promise<boolean> {
  for (let i = 0; i < 400 && isAlive(pid); i += 1) await sleep(50)
  return !isAlive(pid)
}

describe('startDevServer', { timeout: TIMEOUT_MS }, () => {
  it('takes an external address as it is', async () => {
    const server = await startDevServer({ address: 'nowhere.invalid:7233' })
    expect(server).toMatchObject({ kind: 'external', started: false, uiUrl: null })
    expect(server.address).toBe('nowhere.invalid:7233')
    await server.stop()
  })

  it('starts two at once on different ports, and stop ends the processes', async () => {
    const [first, second] = await Promise.all([start(), start({ headless: false })])
    expect(first.address).not.toBe(second.address)
    expect(first).toMatchObject({ kind: 'started', started: true, uiUrl: null })
    expect(first.source).toMatch(/^temporal \d+\.\d+/)
    const page = await fetch(second.uiUrl ?? '')
    expect(page.status).toBe(200)
    await Promise.all([first.stop(), second.stop()])
    expect([first.pid, second.pid].some((pid) => pid === undefined || isAlive(pid))).toBe(false)
    await first.stop()
  })

  it('registers the search attributes so that a run may start with them at once', async () => {
    const server = await start()
    await withConnection(server, async (connection) => {
      const { customAttributes } = await connection.operatorService.listSearchAttributes({
        namespace: 'default',
      })
      const handle = await new Client({ connection }).workflow.start('agent', {
        taskQueue: 'nobody',
        workflowId: 'a',
        searchAttributes: { PerdureAgent: ['support'] },
      })
      expect(Object.keys(customAttributes)).toEqual(
        expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTES)),
      )
      expect((await handle.describe()).status.name).toBe('RUNNING')
    })
  })

  it('says that a wanted port is taken', async () => {
    const first = await start()
    const port = Number(first.address.split(':')[1])
    await expect(start({ port })).rejects.toThrow(`port ${port} cannot be used`)
  })
})

describe('startDevServer with a database file', { timeout: TIMEOUT_MS }, () => {
  it('keeps its runs over a restart', async () => {
    const dbFile = join(folder, 'made', 'dev.db')
    const first = await start({ dbFile })
    await withConnection(first, (connection) =>
      new Client({ connection }).workflow.start('agent', { taskQueue: 'nobody', workflowId: 'b' }),
    )
    await first.stop()
    expect(existsSync(`${dbFile}.json`)).toBe(false)
    const second = await start({ dbFile })
    expect(second.kind).toBe('started')
    const description = await withConnection(second, (connection) =>
      new Client({ connection }).workflow.getHandle('b').describe(),
    )
    expect(description.status.name).toBe('RUNNING')
  })

  it('attaches to the server that has it open, and leaves it running', async () => {
    const dbFile = join(folder, 'dev.db')
    const servers = await Promise.all([start({ dbFile }), start({ dbFile })])
    const first = servers.find(({ started }) => started)
    const second = servers.find(({ started }) => !started)
    expect(second).toMatchObject({ kind: 'attached', address: first?.address, pid: first?.pid })
    await second?.stop()
    await second?.kill()
    expect(first?.pid !== undefined && isAlive(first.pid)).toBe(true)
  })

  it('starts anew when its server was killed', async () => {
    const dbFile = join(folder, 'dev.db')
    const first = await start({ dbFile })
    process.kill(first.pid ?? 0, 'SIGKILL')
    expect(await isGone(first.pid ?? 0)).toBe(true)
    const second = await start({ dbFile })
    expect(second.kind).toBe('started')
    await first.stop()
    expect(existsSync(`${dbFile}.json`)).toBe(true)
  })
})

describe('the server of another process', { timeout: TIMEOUT_MS }, () => {
  it('ends when that process exits without stopping it', async () => {
    const dbFile = join(folder, 'dev.db')
    const { exited, server } = await startElsewhere(dbFile, '')
    expect(await exited).toEqual([0, null])
    expect(await isGone(server.pid)).toBe(true)
    expect(existsSync(`${dbFile}.json`)).toBe(false)
  })

  it('ends on Ctrl-C where nobody else listens for it', async () => {
    const forever = 'setInterval(() => undefined, 1000)'
    const { child, exited, server } = await startElsewhere(join(folder, 'dev.db'), forever)
    child.kill('SIGINT')
    expect(await exited).toEqual([null, 'SIGINT'])
    expect(await isGone(server.pid)).toBe(true)
  })

  it('outlives Ctrl-C until a process that listens for it stops it in its order', async () => {
    const order = `process.once('SIGINT', async () => {
      process.kill(server.pid, 0)
      await server.stop()
      process.exit(7)
    })
    setInterval(() => undefined, 1000)`
    const { child, exited, server } = await startElsewhere(join(folder, 'dev.db'), order)
    child.kill('SIGINT')
    expect(await exited).toEqual([7, null])
    expect(isAlive(server.pid)).toBe(false)
  })

  it('is attached to after a kill -9 of that process', async () => {
    const dbFile = join(folder, 'dev.db')
    const forever = 'setInterval(() => undefined, 1000)'
    const { child, exited, server } = await startElsewhere(dbFile, forever)
    try {
      child.kill('SIGKILL')
      await exited
      const again = await start({ dbFile })
      expect(again).toMatchObject({ kind: 'attached', pid: server.pid, address: server.address })
    } finally {
      process.kill(server.pid, 'SIGKILL')
    }
  })
})
