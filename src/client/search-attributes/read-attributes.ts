import type { OperatorService } from '@temporalio/client'
import { ATTRIBUTES, type AttributeState, typeName } from './attribute-state.js'

/** The part of Temporal's operator service that reads search attributes. */
export type AttributeReader = Pick<OperatorService, 'listSearchAttributes'>

/** Perdure's search attributes in a namespace, by name and type. Rejects where the server does not tell. */
export async function readAttributes(
  service: AttributeReader,
  namespace: string,
): Promise<AttributeState[]> {
  const { customAttributes } = await service.listSearchAttributes({ namespace })
  return ATTRIBUTES.map(([name, type]) => {
    const number = customAttributes?.[name]
    if (number === undefined) return { name, type, status: 'missing' }
    const found = typeName(number)
    return found === type
      ? { name, type, status: 'there' }
      : { name, type, status: 'other_type', found }
  })
}
