import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { freePorts, isListening, LOOPBACK } from '../../../src/server/ports.js'

const open: Server[] = []

afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function occupy(port: number): Promise<void> {
  const server = createServer()
  open.push(server)
  await new Promise<void>((resolve) => {
    server.listen({ host: LOOPBACK, port }, resolve)
  })
}

describe('freePorts', () => {
  it('gives two different ports that nothing listens on', async () => {
    const [first, second] = await freePorts(undefined)
    expect(first).not.toBe(second)
    expect(await isListening(first)).toBe(false)
    expect(await isListening(second)).toBe(false)
  })

  it('prefers the given ports, each where it is free', async () => {
    const wanted = await freePorts(undefined)
    expect(await freePorts(wanted)).toEqual(wanted)
    await occupy(wanted[0])
    expect(await isListening(wanted[0])).toBe(true)
    const [first, second] = await freePorts(wanted)
    expect(first).not.toBe(wanted[0])
    expect(second).toBe(wanted[1])
  })
})
