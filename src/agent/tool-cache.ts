import { canonicalJson } from '../contract/json.js'
import type { ToolManifest } from '../contract/manifest.js'
import type { ToolCall } from '../contract/messages.js'
import type { CachedResult, RunState } from '../contract/run.js'
import { fingerprint } from './digest.js'
import { newestWithin } from './newest.js'
import { withoutVolatile } from './stop-rules/repeats.js'

/** Characters of all cached results together: they are carried over continue-as-new. */
const MAX_CHARS = 200_000

/** What tells a call from another: its tool and its arguments, volatile ones aside. */
export function cacheKey(call: ToolCall, tool: ToolManifest): string {
  return fingerprint(canonicalJson([call.name, withoutVolatile(call.args, tool)]))
}

/** The result that answers a call again, if there is one that still counts. */
export function cached(
  state: RunState,
  key: string,
  { cache }: ToolManifest,
  now: number,
): CachedResult | null {
  const entry = state.cache?.[key]
  if (entry === undefined || cache === undefined) return null
  switch (cache) {
    case 'run':
      return entry
    case 'turn':
      return entry.turn === state.turn ? entry : null
    default:
      return now - entry.at < cache ? entry : null
  }
}

/** Keeps results; the oldest make room. */
export function putCached(state: RunState, key: string, result: CachedResult): void {
  const { [key]: _, ...others } = state.cache ?? {}
  const all = [...Object.entries(others), [key, result] as const]
  state.cache = Object.fromEntries(newestWithin(all, MAX_CHARS, ([, { text }]) => text.length))
}

/** Drops the results of the tools that a call has made worthless. */
export function invalidate(state: RunState, tools: readonly string[]): void {
  if (state.cache === undefined || tools.length === 0) return
  state.cache = Object.fromEntries(
    Object.entries(state.cache).filter(([, { tool }]) => !tools.includes(tool)),
  )
}
