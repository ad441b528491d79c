import { setTimeout as sleep } from 'node:timers/promises'
import type { PendingRequest, PeopleHandle } from '../../src/client.js'

/** Resolves with what a run or a session waits for, once it is so much. */
export async function untilWaiting(
  handle: Pick<PeopleHandle, 'pendingApprovals'>,
  count = 1,
): Promise<[PendingRequest, ...PendingRequest[]]> {
  for (;;) {
    const [first, ...others] = await handle.pendingApprovals()
    if (first !== undefined && others.length + 1 >= count) return [first, ...others]
    await sleep(20)
  }
}
