import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fileArtifacts } from '../../../src/artifacts/file-artifacts.js'
import { artifactStoreSuite } from '../../kit/artifact-store-suite.js'

const { signal } = new AbortController()

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-artifacts-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe('fileArtifacts', () => {
  artifactStoreSuite(async () => {
    const dir = join(await freshFolder(), 'made', 'when needed')
    return () => fileArtifacts({ dir })
  })

  it('never leaves its folder, and has one flat file a key', async () => {
    const parent = await freshFolder()
    const dir = join(parent, 'artifacts')
    const store = fileArtifacts({ dir })
    for (const key of ['../out', '/etc/passwd', '..', 'a/b/c', '..\\out', 'run/1.2.3/0123abc']) {
      await store.put(key, 'text', signal)
    }
    expect(await readdir(parent)).toEqual(['artifacts'])
    const files = await readdir(dir, { withFileTypes: true })
    expect(files).toHaveLength(6)
    expect(files.every((file) => file.isFile())).toBe(true)
    expect(files.map(({ name }) => name)).toContain('run~1.2.3~0123abc.artifact')
  })

  it('lets its owner alone read, and leaves no temporary file', async () => {
    const dir = join(await freshFolder(), 'artifacts')
    const store = fileArtifacts({ dir })
    await store.put('key', 'text', signal)
    await store.put('other', 'text', AbortSignal.abort()).catch(() => {})
    expect(await readdir(dir)).toEqual(['key.artifact'])
    expect((await stat(join(dir, 'key.artifact'))).mode & 0o777).toBe(0o600)
    expect((await stat(dir)).mode & 0o777).toBe(0o700)
  })

  it('says in the log that it serves one machine only, and where', async () => {
    const dir = await freshFolder()
    const warnings: string[] = []
    await fileArtifacts({ dir }).open?.((message) => warnings.push(message))
    expect(warnings).toEqual([expect.stringContaining(dir)])
    expect(warnings[0]).toContain('this machine only')
  })

  it('does not open where no folder can be', async () => {
    const file = join(await freshFolder(), 'file')
    await writeFile(file, '')
    const open = fileArtifacts({ dir: join(file, 'artifacts') }).open?.(() => {})
    await expect(open).rejects.toThrow('ENOTDIR')
  })

  it('rejects when a text is there and cannot be read', async () => {
    const dir = await freshFolder()
    const store = fileArtifacts({ dir: join(dir, 'sub') })
    await writeFile(join(dir, 'sub'), 'a file in the place of the folder')
    await expect(store.get('key', signal)).rejects.toThrow('ENOTDIR')
  })
})
