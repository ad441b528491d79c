import { dirname, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadAgents } from '../../../src/cli/load-agents.js'
import { agentText, moduleFile } from './modules.js'

async function names(text: string): Promise<string[]> {
  return (await loadAgents(await moduleFile(text))).map(({ name }) => name)
}

describe('the agents of a module', () => {
  it('are all that it exports, whatever else it exports', async () => {
    const text = `
      export const a = ${agentText('a')}
      export default ${agentText('b')}
      export const shop = {}, nothing = null, text = 'x', notYet = undefined
      export const tool = { name: 'tool', manifest: {} }
      export function make() {}`
    expect((await names(text)).sort()).toEqual(['a', 'b'])
  })

  it('are there once, though they are exported twice', async () => {
    expect(await names(`const a = ${agentText('a')}; export { a, a as b }`)).toEqual(['a'])
  })

  it('may be asked for by a path from the current folder', async () => {
    const path = await moduleFile(`export const a = ${agentText('a')}`)
    expect(await loadAgents(relative(process.cwd(), path))).toHaveLength(1)
  })
})

describe('a module without agents', () => {
  it('is told what to export', async () => {
    const path = await moduleFile('export const support = { name: "support" }')
    await expect(loadAgents(path)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(`${path} exports no agent. Export what defineAgent returns`),
    })
  })

  it('that is not there is named by its whole path', async () => {
    await expect(loadAgents('no/such/file.ts')).rejects.toMatchObject({
      name: 'UsageError',
      message: `--agents: there is no file ${process.cwd()}/no/such/file.ts`,
    })
  })

  it('that throws keeps its own error', async () => {
    const path = await moduleFile('throw new RangeError("DATABASE_URL is not set")')
    await expect(loadAgents(path)).rejects.toThrow('DATABASE_URL is not set')
  })

  it('that is a folder is a wrong call', async () => {
    const folder = dirname(await moduleFile('export {}'))
    await expect(loadAgents(folder)).rejects.toMatchObject({ name: 'UsageError' })
  })
})
