import type { IncomingHttpHeaders } from 'node:http'
import type { ChatRequest } from './wire.js'

/** One request to `POST /v1/chat/completions`, as the log keeps it. */
export interface LoggedRequest {
  /** Its place in the log, from 0. */
  readonly index: number
  /** When it had arrived, in milliseconds since the epoch. */
  readonly at: number
  /** Header names in lower case. A header that carries a secret has the value `[present]`. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed body; `{ model: '', messages: [] }` when it was no JSON object. */
  readonly body: ChatRequest
  /** The status of the answer. Null while it is open, and for good when no headers were sent. */
  readonly status: number | null
  /** True when the client went away before the answer was complete. */
  readonly closedByClient: boolean
  /** The rules that the request breaks, one line each; recorded with `strict: false` too. */
  readonly violations: readonly string[]
}

/** An entry while the server works on it. */
export type OpenRequest = { -readonly [K in keyof LoggedRequest]: LoggedRequest[K] }

/** Options of `waitFor`. */
export interface WaitOptions {
  /** Milliseconds. @default 5000 */
  readonly timeoutMs?: number
}

/** A number: so many requests have arrived. A function: it says when the log is as wanted. */
export type LogCondition = number | ((requests: readonly LoggedRequest[]) => boolean)

/** The server's memory of its requests. */
export interface RequestLog {
  readonly requests: readonly LoggedRequest[]
  add(entry: Omit<OpenRequest, 'index'>): OpenRequest
  /** Tells the log that an entry has changed. */
  changed(): void
  /** Remembers a request that no route takes, for the message of a time-out. */
  addStray(route: string): void
  waitFor(condition: LogCondition, options?: WaitOptions): Promise<readonly LoggedRequest[]>
  /** Rejects all that still wait. */
  close(): void
}

const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'api-key', 'x-api-key']

/** Copies headers without the values of those that carry secrets. */
export function withoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.includes(name) ? '[present]' : [value].flat().join(', '),
    ]),
  )
}

interface Waiter {
  check(): void
  fail(why: string): void
}

/** Makes an empty log. */
export function createRequestLog(): RequestLog {
  const requests: OpenRequest[] = []
  const strays: string[] = []
  const waiters = new Set<Waiter>()
  let closed = false

  function changed(): void {
    for (const waiter of [...waiters]) waiter.check()
  }

  return {
    requests,
    changed,
    add(entry) {
      const logged = { index: requests.length, ...entry }
      requests.push(logged)
      changed()
      return logged
    },
    addStray(route) {
      strays.push(route)
    },
    waitFor(condition, { timeoutMs = 5_000 } = {}) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => waiter.fail(`after ${timeoutMs} ms`), timeoutMs)
        const settle = (action: () => void): void => {
          clearTimeout(timer)
          waiters.delete(waiter)
          action()
        }
        const waiter: Waiter = {
          check() {
            try {
              if (isMet(condition, requests)) settle(() => resolve(requests))
            } catch (error) {
              settle(() => reject(error))
            }
          },
          fail(why) {
            settle(() => reject(new Error(unmet(condition, why, seen(requests, strays)))))
          },
        }
        waiters.add(waiter)
        waiter.check()
        if (closed && waiters.has(waiter)) waiter.fail('and the server is closed')
      })
    },
    close() {
      closed = true
      for (const waiter of [...waiters]) waiter.fail('when the server was closed')
    },
  }
}

function isMet(condition: LogCondition, requests: readonly LoggedRequest[]): boolean {
  return typeof condition === 'number' ? requests.length >= condition : condition(requests)
}

function unmet(condition: LogCondition, why: string, log: string): string {
  const wanted = typeof condition === 'number' ? `${condition} requests` : 'the condition'
  return `waitFor: ${wanted} not seen ${why}. ${log}`
}

function seen(requests: readonly LoggedRequest[], strays: readonly string[]): string {
  const lines = requests.map((request) => {
    const state = request.closedByClient ? 'closed by client' : (request.status ?? 'no answer')
    const broken = request.violations.map((violation) => `\n     ${violation}`).join('')
    return `\n  ${request.index}: ${request.body.messages?.length ?? 0} messages, ${state}${broken}`
  })
  const unknown = [...new Set(strays)].map((route) => `\n  no such route: ${route}`)
  return `Requests seen: ${requests.length}${[...lines, ...unknown].join('')}`
}
