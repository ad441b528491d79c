import type { WorkflowService } from '@temporalio/client'
import { typeNumber } from '../../../../src/client/search-attributes/attribute-state.js'
import type { RegisterOptions } from '../../../../src/client/search-attributes/register-attributes.js'
import { SEARCH_ATTRIBUTES } from '../../../../src/contract/names.js'

/** What a server answers with gRPC's code `code`. */
export function grpcError(code: number, details: string): Error {
  return Object.assign(new Error(`${code} ERROR: ${details}`), { code, details, metadata: {} })
}

/** How the fake server behaves. */
export interface ServerScript {
  /** Its attributes with Temporal's names of their types. @default none */
  readonly attributes?: Readonly<Record<string, string>>
  readonly listError?: Error
  /** By the name of the attribute that is added. */
  readonly addError?: (name: string) => Error | undefined
  /** Looks at the filters that do not know a new attribute yet. @default 0 */
  readonly slowLooks?: number
}

/** All of perdure's attributes, as a server has them. */
export const ALL: Readonly<Record<string, string>> = SEARCH_ATTRIBUTES

/** Which type each value of a filter is of. */
const TYPES: Readonly<Record<string, string>> = { '0': 'Int', '0.5': 'Double' }

/** The part of a Temporal server that has search attributes. */
export function scriptedServer({
  attributes = {},
  listError,
  addError,
  slowLooks = 0,
}: ServerScript) {
  const there = new Map(Object.entries(attributes))
  const fresh = new Map<string, number>()
  const added: string[] = []
  const operatorService = {
    listSearchAttributes: async () => {
      if (listError !== undefined) throw listError
      const customAttributes = Object.fromEntries(
        [...there].map(([name, type]) => [name, typeNumber(type)]),
      )
      return { customAttributes }
    },
    addSearchAttributes: async (request: { searchAttributes: Record<string, number> }) => {
      for (const name of Object.keys(request.searchAttributes)) {
        added.push(name)
        const error = addError?.(name)
        if (error !== undefined) throw error
        there.set(name, ALL[name] ?? '')
        fresh.set(name, slowLooks)
      }
      return {}
    },
  }
  const countWorkflowExecutions = async ({ query }: { query: string }) => {
    const [name = '', , value] = query.split(' ')
    const looks = fresh.get(name) ?? 0
    if (looks > 0) fresh.set(name, looks - 1)
    const type = there.get(name)
    if (type === undefined || looks > 0) {
      throw grpcError(3, `invalid query: invalid search attribute: ${name}`)
    }
    if (type !== (TYPES[value ?? ''] ?? 'Keyword')) {
      throw grpcError(3, `invalid value type for search attribute ${name}`)
    }
    return { count: 0 }
  }
  const workflowService = { countWorkflowExecutions } as unknown as WorkflowService
  const options = {
    operatorService,
    workflowService,
    namespace: 'ns',
  } as unknown as RegisterOptions
  return { options, added }
}
