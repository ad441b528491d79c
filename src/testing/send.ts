import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Plan } from './plan.js'

/**
 * Milliseconds between the last bytes and a reset. A reset may throw away what has arrived at the
 * client's system but was not read, and then the headers would be missing too.
 */
const BEFORE_RESET_MS = 20

/**
 * Carries a plan out. Resolves when there is nothing left to do: for a plan that hangs, when the
 * client goes away.
 *
 * @param onLast called just before the last bytes go out, or just before the reset; never when the
 * client goes away first. A client that has its answer so finds it in the log.
 */
export async function send(
  plan: Plan,
  response: ServerResponse,
  onLast: () => void,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  // A client that went away in the middle of a write is what the log tells; it is no error here.
  response.on('error', () => gone.abort())
  if (response.destroyed || !(await pause(plan.delayMs, gone.signal))) return
  if (plan.head !== null) {
    response.writeHead(plan.head.status, plan.head.headers)
    if (plan.everyMs > 0 || plan.end !== 'close') response.flushHeaders()
  }
  const held = plan.end === 'close' ? plan.pieces.at(-1) : undefined
  const sent = held === undefined ? plan.pieces : plan.pieces.slice(0, -1)
  for (const piece of sent) {
    response.write(piece)
    if (!(await pause(plan.everyMs, gone.signal))) return
  }
  await end({ plan, response, onLast, gone: gone.signal, held })
}

interface Ending {
  readonly plan: Plan
  readonly response: ServerResponse
  readonly onLast: () => void
  readonly gone: AbortSignal
  /** The last piece: with it the client has the whole answer, so `onLast` must come before. */
  readonly held: Buffer | undefined
}

async function end({ plan, response, onLast, gone, held }: Ending): Promise<void> {
  switch (plan.end) {
    case 'close':
      onLast()
      response.end(held)
      return
    case 'reset':
      if (plan.head !== null && !(await pause(BEFORE_RESET_MS, gone))) return
      onLast()
      response.socket?.resetAndDestroy()
      return
    case 'hang':
      if (!gone.aborted) await once(gone, 'abort')
      return
  }
}

/** False when the client went away before the time was up. */
async function pause(ms: number, gone: AbortSignal): Promise<boolean> {
  if (ms > 0 && !gone.aborted) await sleep(ms, undefined, { signal: gone }).catch(() => undefined)
  return !gone.aborted
}
