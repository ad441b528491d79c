import type { WorkflowService } from '@temporalio/client'
import { GRPC, grpcCode, messageOf } from '../errors/grpc.js'
import { ATTRIBUTES, type AttributeState } from './attribute-state.js'

/** The part of Temporal's workflow service that counts runs. */
export type RunCounter = Pick<WorkflowService, 'countWorkflowExecutions'>

/** What servers say of a name that they do not know. */
const UNKNOWN = /invalid search attribute|no mapping|is not defined/i
/** What an attribute of each type can be compared with. */
const VALUES = { Keyword: "''", Int: '0', Double: '0.5' } as const

/**
 * Perdure's search attributes in a namespace, by counting the runs that have a value of theirs: every
 * client may, where listing them takes an administrator (Temporal Cloud).
 */
export async function probeAttributes(
  service: RunCounter,
  namespace: string,
): Promise<AttributeState[]> {
  const probes = ATTRIBUTES.map(async ([name, type]): Promise<AttributeState> => {
    try {
      const query = `${name} = ${VALUES[type]}`
      await service.countWorkflowExecutions({ namespace, query })
      return { name, type, status: 'there' }
    } catch (error) {
      if (grpcCode(error) !== GRPC.invalidArgument) throw error
      return { name, type, status: UNKNOWN.test(messageOf(error)) ? 'missing' : 'other_type' }
    }
  })
  return await Promise.all(probes)
}
