import { randomUUID } from 'node:crypto'
import type { Duration } from '@temporalio/common'
import { msToNumber } from '@temporalio/common/lib/time.js'
import type { JsonObject } from '../../contract/json.js'
import type { SessionSettings } from '../../contract/session.js'
import { checkedContext, checkId } from '../check-input.js'
import { InvalidInputError } from '../errors/invalid-input-error.js'

/** What a session is opened with. `C` is the context that the agent's definition asks for. */
export interface SessionOptions<C = object> {
  /**
   * The workflow id: the same id is the same conversation, also after it was closed. Use whose it is, such
   * as `customer-7`. @default the agent's name and a random UUID
   */
  readonly id?: string
  /** Who is asking, for tools and never for the prompt. Left out to attach to a session whatever its context. */
  readonly context?: C
  /** Time without a turn after which it closes. Taken when the session is started. @default never */
  readonly idleTimeout?: Duration
  /** Questions that may wait while one is answered. Taken when the session is started. @default 20 */
  readonly maxQueued?: number
}

/** Options that were checked. */
export interface CheckedSession {
  readonly agent: string
  readonly id: string
  /** Undefined when it was not told. */
  readonly context: JsonObject | undefined
  readonly settings: SessionSettings
}

/**
 * Checks what a session is opened with.
 *
 * @throws InvalidInputError
 */
export function checkSession(
  agent: string | { readonly name: string },
  { id, context, idleTimeout, maxQueued }: SessionOptions,
): CheckedSession {
  const name = typeof agent === 'string' ? agent : agent?.name
  if (typeof name !== 'string' || name === '') {
    throw new InvalidInputError('session needs the name of an agent, or its definition.')
  }
  checkId(id)
  if (maxQueued !== undefined && !(Number.isInteger(maxQueued) && maxQueued >= 1)) {
    throw new InvalidInputError('maxQueued must be a whole number from 1 on.')
  }
  return {
    agent: name,
    id: id ?? `${name}-${randomUUID()}`,
    context: checkedContext(context) ?? undefined,
    settings: {
      ...(idleTimeout === undefined ? {} : { idleMs: idleMs(idleTimeout) }),
      ...(maxQueued === undefined ? {} : { maxQueued }),
    },
  }
}

function idleMs(idleTimeout: Duration): number {
  const ms = toNumber(idleTimeout)
  if (Number.isFinite(ms) && ms >= 1) return ms
  throw new InvalidInputError(`idleTimeout must be a time such as '2 hours', not "${idleTimeout}".`)
}

function toNumber(duration: Duration): number {
  try {
    return msToNumber(duration)
  } catch {
    return Number.NaN
  }
}
