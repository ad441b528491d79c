import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  claimDatabase,
  findRunning,
  isAlive,
  recordFile,
  releaseRecord,
  type ServerRecord,
  writeRecord,
} from '../../../src/server/server-record.js'

let folder: string
let dbFile: string
let file: string
const deadPid = spawnSync(process.execPath, ['-e', '']).pid

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-record-'))
  dbFile = join(folder, 'runs', 'dev.db')
  file = recordFile(dbFile)
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const read = async () => JSON.parse(await readFile(file, 'utf8')) as ServerRecord
const dead: ServerRecord = {
  starter: deadPid,
  pid: deadPid,
  address: '127.0.0.1:1',
  uiUrl: null,
  clusterId: 'c',
}

describe('claimDatabase', () => {
  it('claims a database that nobody has open, and makes its folder', async () => {
    expect(await claimDatabase(dbFile)).toBeUndefined()
    expect((await read()).starter).toBe(process.pid)
  })

  it.each([dead, { ...dead, clusterId: null }])(
    'takes over from a server and a starter that died',
    async (record) => {
      await claimDatabase(dbFile)
      await writeRecord(file, record)
      expect(await findRunning(dbFile)).toBeUndefined()
      expect(await claimDatabase(dbFile)).toBeUndefined()
      expect((await read()).starter).toBe(process.pid)
    },
  )

  it('takes over a record that was never written to its end', async () => {
    await claimDatabase(dbFile)
    await writeFile(file, '{"sta')
    const before = new Date(Date.now() - 10_000)
    await utimes(file, before, before)
    expect(await claimDatabase(dbFile)).toBeUndefined()
    expect((await read()).starter).toBe(process.pid)
  })

  it('waits while another start is under way', async () => {
    await claimDatabase(dbFile)
    let claimed = false
    const second = claimDatabase(dbFile).then(() => {
      claimed = true
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(claimed).toBe(false)
    releaseRecord(file)
    await second
    expect(claimed).toBe(true)
  })
})

describe('releaseRecord', () => {
  it('removes our claim, and only for the server it is about', async () => {
    await claimDatabase(dbFile)
    releaseRecord(file, 12345)
    expect(existsSync(file)).toBe(true)
    releaseRecord(file)
    expect(existsSync(file)).toBe(false)
    releaseRecord(file)
  })

  it('leaves the claim of another process', async () => {
    await claimDatabase(dbFile)
    await writeRecord(file, dead)
    releaseRecord(file)
    expect(await read()).toEqual(dead)
  })
})

describe('isAlive', () => {
  it('tells a living process from a dead one', () => {
    expect(isAlive(process.pid)).toBe(true)
    expect(isAlive(deadPid)).toBe(false)
  })
})
