import { createServer } from 'node:net'
import { LOOPBACK } from '../../src/server/ports.js'

/**
 * Below the ports that systems give to outgoing connections: a client that tries a port of those while its
 * server is down may get that very port for itself, and then keeps the server from coming back.
 */
const FIRST = 20_000
const COUNT = 10_000

/** So many different loopback ports that are free now. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  let port = FIRST + Math.floor(Math.random() * COUNT)
  for (let tries = 0; ports.length < count; tries++) {
    if (tries === COUNT) throw new Error(`There are no ${count} free ports from ${FIRST} on.`)
    if (await isFree(port)) ports.push(port)
    port = FIRST + ((port - FIRST + 1) % COUNT)
  }
  return ports
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host: LOOPBACK, port }, () => server.close(() => resolve(true)))
  })
}
