import { connect, createServer, type Server } from 'node:net'

/** The address that every dev server listens on: reachable from this machine only. */
export const LOOPBACK = '127.0.0.1'

/** Whether something accepts connections on that loopback port (asked for up to 1 s). */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: LOOPBACK, port, timeout: 1000 })
    const end = (listening: boolean) => () => {
      socket.destroy()
      resolve(listening)
    }
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false))
  })
}

/**
 * Two different loopback ports that are free now: the preferred ones where they are, else any.
 * Nothing keeps them free: whoever binds them must be ready to ask again.
 */
export async function freePorts(
  preferred: readonly [number, number] | undefined,
): Promise<readonly [number, number]> {
  const first = await hold(preferred?.[0])
  const second = await hold(preferred?.[1])
  await Promise.all([release(first.server), release(second.server)])
  return [first.port, second.port]
}

interface Held {
  readonly server: Server
  readonly port: number
}

async function hold(preferred: number | undefined): Promise<Held> {
  // A listener on 0.0.0.0 (a container's port) does not stop a bind to loopback everywhere.
  if (preferred === undefined || (await isListening(preferred))) return await listen(0)
  return await listen(preferred).catch(() => listen(0))
}

function listen(port: number): Promise<Held> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ host: LOOPBACK, port }, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('no port was given'))
      else resolve({ server, port: address.port })
    })
  })
}

function release(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}
