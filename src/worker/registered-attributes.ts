import type { NativeConnection } from '@temporalio/worker'
import { readAttributes } from '../client/search-attributes/read-attributes.js'

/**
 * The Perdure search attributes that the namespace has, with the right type. None where the server does
 * not tell (Temporal Cloud answers this to administrators only): runs then go without.
 */
export async function registeredAttributes(
  { operatorService }: NativeConnection,
  namespace: string,
): Promise<string[]> {
  try {
    const states = await readAttributes(operatorService, namespace)
    return states.filter(({ status }) => status === 'there').map(({ name }) => name)
  } catch {
    return []
  }
}
