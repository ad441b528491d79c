import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common'
import { upsertSearchAttributes } from '@temporalio/workflow'
import { costOf } from '../agent/cost.js'
import type { Manifest } from '../contract/manifest.js'
import type { RunState } from '../contract/run.js'
import { shorten } from '../contract/text.js'

/** The server terminates a run whose attribute is over 2,048 bytes; a character takes 4 at most. */
const MAX_CHARS = 500

/** Makes a run findable by its agent and model from its first moment. */
export function upsertStart({ manifest, fork }: RunState): void {
  upsertRegistered(manifest, [
    keyword('PerdureAgent', manifest.agent),
    keyword('PerdureModel', manifest.model),
    ...(fork === undefined ? [] : [keyword('PerdureForkedFrom', fork.from.id)]),
  ])
}

/** Makes a run findable by how it ended. */
export function upsertEnd(state: RunState, reason: string): void {
  const { manifest, steps, usage } = state
  const costUsd = costOf(state)
  upsertRegistered(manifest, [
    keyword('PerdureStopReason', reason),
    { key: defineSearchAttributeKey('PerdureSteps', 'INT'), value: steps },
    { key: defineSearchAttributeKey('PerdureTokens', 'INT'), value: usage.totalTokens },
    ...(costUsd === null
      ? []
      : [{ key: defineSearchAttributeKey('PerdureCostUsd', 'DOUBLE'), value: costUsd }]),
  ])
}

function keyword(name: string, value: string): SearchAttributeUpdatePair {
  return { key: defineSearchAttributeKey(name, 'KEYWORD'), value: shorten(value, MAX_CHARS) }
}

/** An attribute that the namespace does not have would fail the workflow task for ever. */
export function upsertRegistered(
  { searchAttributes }: Pick<Manifest, 'searchAttributes'>,
  pairs: readonly SearchAttributeUpdatePair[],
): void {
  const known = pairs.filter(({ key }) => searchAttributes.includes(key.name))
  if (known.length > 0) upsertSearchAttributes(known)
}
