import { Connection } from '@temporalio/client'
import { isListening } from './ports.js'

/** On loopback; a server that dies just now lets a connection hang. */
const CONNECT_TIMEOUT_MS = 1000
const ANSWER_TIMEOUT_MS = 3000

/**
 * Asks a server on loopback whether the namespace `default` is ready. Takes up to 5 s.
 *
 * @returns the id of its cluster, which the dev server keeps in its database, so that it tells
 *   servers apart; `undefined` when nothing answers or the namespace is not ready
 */
export async function readyClusterId(address: string): Promise<string | undefined> {
  // A refused gRPC connection is tried until its time-out; a refused socket says so at once.
  if (!(await isListening(Number(address.slice(address.lastIndexOf(':') + 1))))) return undefined
  let connection: Connection | undefined
  try {
    connection = await Connection.connect({ address, connectTimeout: CONNECT_TIMEOUT_MS })
    return await ask(connection)
  } catch {
    return undefined
  } finally {
    await connection?.close()
  }
}

async function ask(connection: Connection): Promise<string> {
  return await connection.withDeadline(Date.now() + ANSWER_TIMEOUT_MS, async () => {
    await connection.workflowService.describeNamespace({ namespace: 'default' })
    const { clusterId } = await connection.workflowService.getClusterInfo({})
    return clusterId
  })
}
