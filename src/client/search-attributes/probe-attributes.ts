import type { Client } from '@temporalio/client'
import { GRPC, grpcCode, messageOf } from '../errors/grpc.js'
import { ATTRIBUTES, type AttributeState } from './attribute-state.js'

/** What servers say of a name that they do not know. */
const UNKNOWN = /invalid search attribute|no mapping|is not defined/i
/** What an attribute of each type can be compared with. */
const VALUES = { Keyword: "''", Int: '0' } as const

/**
 * Perdure's search attributes in a namespace, by asking for runs that have a value of theirs: every
 * client may, where listing them takes an administrator (Temporal Cloud).
 */
export async function probeAttributes({
  workflow,
}: Pick<Client, 'workflow'>): Promise<AttributeState[]> {
  const probes = ATTRIBUTES.map(async ([name, type]): Promise<AttributeState> => {
    try {
      await workflow.count(`${name} = ${VALUES[type]}`)
      return { name, type, status: 'there' }
    } catch (error) {
      if (grpcCode(error) !== GRPC.invalidArgument) throw error
      return { name, type, status: UNKNOWN.test(messageOf(error)) ? 'missing' : 'other_type' }
    }
  })
  return await Promise.all(probes)
}
