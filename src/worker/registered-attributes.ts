import type { NativeConnection } from '@temporalio/worker'
import { probeAttributes } from '../client/search-attributes/probe-attributes.js'
import { readAttributes } from '../client/search-attributes/read-attributes.js'

/**
 * The Perdure search attributes that the namespace has, with the right type. Where the server lists them
 * to administrators only (Temporal Cloud), those that it takes in a filter; where it tells neither, none:
 * runs then go without.
 */
export async function registeredAttributes(
  { operatorService, workflowService }: NativeConnection,
  namespace: string,
): Promise<string[]> {
  try {
    const states = await readAttributes(operatorService, namespace).catch(() =>
      probeAttributes(workflowService, namespace),
    )
    return states.filter(({ status }) => status === 'there').map(({ name }) => name)
  } catch {
    return []
  }
}
