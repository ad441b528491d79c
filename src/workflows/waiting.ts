import { defineSearchAttributeKey } from '@temporalio/common'
import { upsertMemo } from '@temporalio/workflow'
import { pendingRequests } from '../agent/requests.js'
import { WAITING_KEY, type WaitingMemo } from '../contract/names.js'
import type { PendingRequest } from '../contract/requests.js'
import type { RunState } from '../contract/run.js'
import { upsertRegistered } from './search-attributes.js'

/** Bytes of JSON of all requests that the memo shows; a memo may have 2 MB. */
const MAX_CHARS = 100_000

/** What was shown last; the sandbox gives each workflow its own copy of this module. */
let shown = ''

/**
 * Shows what a run waits for a person for, and that it waits no longer: in its memo, which callers read
 * without a worker, and in the search attribute. No query: callers that look again and again by queries, and
 * send an update at once, have made histories that do not replay (SDK 1.23.0; docs/design.md).
 */
export function showWaiting(state: RunState): void {
  const requests = pendingRequests(state)
  const ids = requests.map(({ id }) => id).join()
  if (ids === shown) return
  shown = ids
  const waiting: WaitingMemo | null = requests.length === 0 ? null : fitting(requests)
  upsertMemo({ [WAITING_KEY]: waiting })
  const key = defineSearchAttributeKey('PerdureWaitingFor', 'KEYWORD')
  upsertRegistered(state.manifest, [{ key, value: requests[0]?.kind ?? null }])
}

/** Requests as the memo takes them: arguments that are too large stand in the history alone. */
function fitting(requests: readonly PendingRequest[]): PendingRequest[] {
  if (JSON.stringify(requests).length <= MAX_CHARS) return [...requests]
  const each = MAX_CHARS / requests.length
  return requests.map((request) => {
    const chars = JSON.stringify(request.args).length
    return chars <= each
      ? request
      : { ...request, args: { too_large_to_show: `${chars} characters` } }
  })
}
