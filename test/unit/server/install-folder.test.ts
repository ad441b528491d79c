import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installFolder } from '../../../src/server/install-folder.js'

let parent: string
let target: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'install-folder-'))
  target = join(parent, 'pip')
})

afterEach(async () => {
  await rm(parent, { recursive: true, force: true })
})

const write = (text: string) => (folder: string) => writeFile(join(folder, 'program'), text)
const read = (folder: string) => readFile(join(folder, 'program'), 'utf8')

async function check(folder: string): Promise<void> {
  if ((await read(folder)) === 'broken') throw new Error('does not run')
}

describe('installFolder', () => {
  it('puts a working install in place and leaves nothing beside it', async () => {
    await installFolder({ target, fill: write('good'), check })
    expect(await read(target)).toBe('good')
    expect(await readdir(parent)).toEqual(['pip'])
  })

  it('keeps what was there when the new one does not work', async () => {
    await installFolder({ target, fill: write('good'), check })
    const broken = installFolder({ target, fill: write('broken'), check })
    await expect(broken).rejects.toThrow('does not run')
    expect(await read(target)).toBe('good')
    expect(await readdir(parent)).toEqual(['pip'])
  })

  it('replaces a target that does not work', async () => {
    await mkdir(target)
    await write('broken')(target)
    await installFolder({ target, fill: write('good'), check })
    expect(await read(target)).toBe('good')
    expect(await readdir(parent)).toEqual(['pip'])
  })

  it('ends well for two that do it at once', async () => {
    await Promise.all([
      installFolder({ target, fill: write('first'), check }),
      installFolder({ target, fill: write('second'), check }),
    ])
    expect(['first', 'second']).toContain(await read(target))
    expect(await readdir(parent)).toEqual(['pip'])
  })

  it('removes what an install left that died over an hour ago, not one that still runs', async () => {
    const old = join(parent, 'pip.tmp-dead')
    await mkdir(old)
    await mkdir(join(parent, 'pip.tmp-running'))
    const before = new Date(Date.now() - 2 * 60 * 60 * 1000)
    await utimes(old, before, before)
    await installFolder({ target, fill: write('good'), check })
    expect((await readdir(parent)).sort()).toEqual(['pip', 'pip.tmp-running'])
  })
})
