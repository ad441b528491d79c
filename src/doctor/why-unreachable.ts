import { connect } from 'node:net'

/** Milliseconds to wait for a socket. */
const SOCKET_MS = 2_000
/** Temporal's, where an address names none. */
const DEFAULT_PORT = 7233

/** Why nothing answers at `host:port`: gRPC does not tell. */
export async function whyUnreachable(address: string): Promise<string> {
  const { hostname, port } = new URL(`tcp://${address}`)
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || DEFAULT_PORT,
  })
  try {
    return await new Promise<string>((resolve) => {
      socket.setTimeout(SOCKET_MS, () => resolve('its host does not answer'))
      socket.once('connect', () =>
        resolve('something listens there, but no Temporal server answers: a TLS setting?'),
      )
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(words(error)))
    })
  } finally {
    socket.destroy()
  }
}

function words({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there'
    case 'ENOTFOUND':
      return 'there is no host of that name'
    default:
      return message
  }
}
