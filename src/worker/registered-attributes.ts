import type { NativeConnection } from '@temporalio/worker'
import { SEARCH_ATTRIBUTES } from '../contract/names.js'

/** Numbers of Temporal's IndexedValueType. */
const TYPES = { Keyword: 2, Int: 3 } as const

/**
 * The Perdure search attributes that the namespace has, with the right type. None where the server does
 * not tell (Temporal Cloud answers this to administrators only): runs then go without.
 */
export async function registeredAttributes(
  connection: NativeConnection,
  namespace: string,
): Promise<string[]> {
  const wanted = Object.entries(SEARCH_ATTRIBUTES)
  try {
    const answer = await connection.operatorService.listSearchAttributes({ namespace })
    const there = answer.customAttributes ?? {}
    return wanted.filter(([name, type]) => there[name] === TYPES[type]).map(([name]) => name)
  } catch {
    return []
  }
}
