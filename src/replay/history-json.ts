import { createRequire } from 'node:module'
import type { temporal } from '@temporalio/proto'
import { isObject } from '../contract/json.js'
import { payloadJson } from './payload-json.js'

/** A workflow history, as the server stores it. */
export type History = temporal.api.history.v1.IHistory

/** The parts of protobufjs that are used here. */
interface ProtoJson {
  fromJson(type: MessageType, json: unknown, options: object): History
  toJson(type: MessageType, message: unknown): unknown
}
interface MessageType {
  readonly fullName: string
  readonly fields: Readonly<Record<string, Field>>
  fromObject(history: History): unknown
}
interface EnumType {
  readonly values: Readonly<Record<string, number>>
}
interface Field {
  readonly map: boolean
  readonly repeated: boolean
  resolve(): Field
  readonly resolvedType: MessageType | EnumType | null
}

const require = createRequire(import.meta.url)
// Resolved from @temporalio/proto: the copy of protobufjs beside it. What npm hoists may be another
// version, whose types are none to this one.
const fromProto = createRequire(require.resolve('@temporalio/proto'))
const { fromJson, toJson } = fromProto('protobufjs/ext/protojson') as ProtoJson
const root = require('@temporalio/proto') as { lookupType(name: string): MessageType }
const historyType = root.lookupType('temporal.api.history.v1.History')

const PAYLOAD = '.temporal.api.common.v1.Payload'
const PAYLOADS = '.temporal.api.common.v1.Payloads'

/** A history as JSON, in the form that Temporal's CLI and UI write. */
export function historyToJson(history: History): unknown {
  return toJson(historyType, historyType.fromObject(history))
}

/**
 * A history from the JSON that Temporal's CLI, its UI or {@link historyToJson} wrote, payloads decoded or
 * not. Fields of newer servers are left out.
 *
 * @throws Error when it is no history
 */
export function historyFromJson(json: unknown): History {
  return fromJson(historyType, normal(historyType, json), { ignoreUnknownFields: true })
}

/** The same JSON with every payload and every name of an enum in protobuf's own form. */
function normal(type: MessageType, json: unknown): unknown {
  if (json === null || json === undefined) return json
  if (type.fullName === PAYLOAD) return payloadJson(json)
  if (type.fullName === PAYLOADS && Array.isArray(json)) return { payloads: json.map(payloadJson) }
  // Times and durations are texts.
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [key, normalField(type.fields[key], value)]),
  )
}

function normalField(field: Field | undefined, json: unknown): unknown {
  const type = field?.resolve().resolvedType
  if (field === undefined || type === null || type === undefined) return json
  const one = (value: unknown) => ('values' in type ? normalEnum(type, value) : normal(type, value))
  if (field.repeated && Array.isArray(json)) return json.map(one)
  if (!field.map || !isObject(json)) return one(json)
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, one(value)]))
}

/** Older tools write `ActivityTaskScheduled` for EVENT_TYPE_ACTIVITY_TASK_SCHEDULED. */
function normalEnum({ values }: EnumType, value: unknown): unknown {
  if (typeof value !== 'string' || value in values) return value
  const snake = value.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
  return Object.keys(values).find((name) => name.endsWith(`_${snake}`)) ?? value
}
