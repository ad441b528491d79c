import { SEARCH_ATTRIBUTES } from '../../contract/names.js'

/** The name of a search attribute of perdure. */
export type AttributeName = keyof typeof SEARCH_ATTRIBUTES

/** Temporal's names of its IndexedValueTypes, by their numbers. */
const TYPE_NAMES = [
  'Unspecified',
  'Text',
  'Keyword',
  'Int',
  'Double',
  'Bool',
  'Datetime',
  'KeywordList',
] as const

/** What a namespace has under the name of one of perdure's search attributes. */
export interface AttributeState {
  readonly name: AttributeName
  /** The type that perdure needs. */
  readonly type: string
  /** `other_type`: the name is taken by an attribute of another type. */
  readonly status: 'there' | 'missing' | 'other_type'
  /** The type that is there instead, where the server tells. */
  readonly found?: string
}

/** All of perdure's search attributes. */
export const ATTRIBUTES = Object.entries(SEARCH_ATTRIBUTES) as readonly (readonly [
  AttributeName,
  (typeof SEARCH_ATTRIBUTES)[AttributeName],
])[]

/** The number of a type in Temporal's API. */
export function typeNumber(type: string): number {
  return TYPE_NAMES.indexOf(type as (typeof TYPE_NAMES)[number])
}

/** The name of a type in Temporal's API. */
export function typeName(type: number): string {
  return TYPE_NAMES[type] ?? `type ${type}`
}
