import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DevServerError } from '../../../src/server/dev-server-error.js'
import {
  type ServerPlan,
  serverArguments,
  spawnServer,
  waitUntilReady,
} from '../../../src/server/server-process.js'
import { isAlive } from '../../../src/server/server-record.js'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-process-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const plan: ServerPlan = {
  binary: '/nowhere/temporal',
  port: 1,
  uiPort: undefined,
  dbFile: undefined,
  searchAttributes: { PerdureAgent: 'Keyword' },
  dynamicConfig: {},
}

async function fakeServer(body: string): Promise<ServerPlan> {
  const binary = join(folder, 'temporal')
  await writeFile(binary, `#!/bin/sh\n${body}\n`)
  await chmod(binary, 0o755)
  return { ...plan, binary }
}

describe('serverArguments', () => {
  it('tunes every server and registers the search attributes', () => {
    const args = serverArguments(plan)
    expect(args).toContain('history.transferProcessorMaxPollRPS=2000')
    expect(args).toContain('system.enableActivityEagerExecution=true')
    expect(args).toContain('PerdureAgent=Keyword')
    expect(args).toContain('--headless')
    expect(args).not.toContain('--db-filename')
  })

  it('names the database file and the UI port where there are', () => {
    const args = serverArguments({ ...plan, dbFile: '/tmp/dev.db', uiPort: 8233 }).join(' ')
    expect(args).toContain('--db-filename /tmp/dev.db')
    expect(args).toContain('--ui-port 8233')
    expect(args).not.toContain('--headless')
  })
})

describe.skipIf(process.platform === 'win32')('spawnServer', () => {
  it('says which program cannot be run', async () => {
    await expect(spawnServer(plan)).rejects.toThrow(DevServerError)
    await expect(spawnServer(plan)).rejects.toThrow('/nowhere/temporal cannot be run')
  })

  it('fails early, with the end of stderr, when the server exits', async () => {
    const server = await spawnServer(await fakeServer('echo "no such flag" >&2; exit 1'))
    await expect(waitUntilReady(server, 1)).rejects.toThrow(
      'exited before it was ready: no such flag',
    )
    await server.stop()
  })

  it('ends the process on stop and on kill, and twice does no harm', async () => {
    for (const how of ['stop', 'kill'] as const) {
      const server = await spawnServer(await fakeServer('exec sleep 60'))
      expect(isAlive(server.pid)).toBe(true)
      await Promise.all([server[how](), server[how]()])
      await server.stop()
      expect(isAlive(server.pid)).toBe(false)
      expect(server.exited()).toBe(true)
    }
  })
})
