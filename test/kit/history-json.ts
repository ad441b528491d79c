import { createRequire } from 'node:module'
import type { temporal } from '@temporalio/proto'

type History = temporal.api.history.v1.IHistory

/** The part of protobufjs' extension that is used here. */
interface ProtoJson {
  fromJson(type: unknown, json: unknown, options: object): History
  toJson(type: unknown, message: unknown): unknown
}

const require = createRequire(import.meta.url)
// Resolved from @temporalio/proto: the copy of protobufjs beside it, whatever else npm hoists.
const fromProto = createRequire(require.resolve('@temporalio/proto'))
const protojson = fromProto('protobufjs/ext/protojson') as ProtoJson
const root = require('@temporalio/proto') as { lookupType(name: string): unknown }
const historyType = root.lookupType('temporal.api.history.v1.History')

/** A history as JSON, in the form that Temporal's CLI and UI write. */
export function historyToJson(history: History): unknown {
  const message = (historyType as { fromObject(history: History): unknown }).fromObject(history)
  return protojson.toJson(historyType, message)
}

/** A history from JSON; fields of newer servers are left out. */
export function historyFromJson(json: unknown): History {
  return protojson.fromJson(historyType, json, { ignoreUnknownFields: true })
}
