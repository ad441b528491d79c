import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common'
import { upsertSearchAttributes } from '@temporalio/workflow'
import { costOf } from '../agent/cost.js'
import { pendingRequests } from '../agent/requests.js'
import type { RunState } from '../contract/run.js'
import { shorten } from '../contract/text.js'

/** The server terminates a run whose attribute is over 2,048 bytes; a character takes 4 at most. */
const MAX_CHARS = 500

/** Makes a run findable by its agent and model from its first moment. */
export function upsertStart({ manifest, fork }: RunState): void {
  upsert(manifest.searchAttributes, [
    keyword('PerdureAgent', manifest.agent),
    keyword('PerdureModel', manifest.model),
    ...(fork === undefined ? [] : [keyword('PerdureForkedFrom', fork.from.id)]),
  ])
}

/** Makes a run findable by how it ended. */
export function upsertEnd(state: RunState, reason: string): void {
  const { manifest, steps, usage } = state
  const costUsd = costOf(state)
  upsert(manifest.searchAttributes, [
    keyword('PerdureStopReason', reason),
    { key: defineSearchAttributeKey('PerdureSteps', 'INT'), value: steps },
    { key: defineSearchAttributeKey('PerdureTokens', 'INT'), value: usage.totalTokens },
    ...(costUsd === null
      ? []
      : [{ key: defineSearchAttributeKey('PerdureCostUsd', 'DOUBLE'), value: costUsd }]),
  ])
}

/** Makes a run findable by what it waits for: `approval` or `question`; without a value once it waits no longer. */
export function upsertWaiting(state: RunState): void {
  const [first] = pendingRequests(state)
  const key = defineSearchAttributeKey('PerdureWaitingFor', 'KEYWORD')
  upsert(state.manifest.searchAttributes, [{ key, value: first?.kind ?? null }])
}

function keyword(name: string, value: string): SearchAttributeUpdatePair {
  return { key: defineSearchAttributeKey(name, 'KEYWORD'), value: shorten(value, MAX_CHARS) }
}

/** An attribute that the namespace does not have would fail the workflow task for ever. */
function upsert(registered: readonly string[], pairs: readonly SearchAttributeUpdatePair[]): void {
  const known = pairs.filter(({ key }) => registered.includes(key.name))
  if (known.length > 0) upsertSearchAttributes(known)
}
