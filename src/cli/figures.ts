import { dollars } from '../contract/price.js'
import type { TokenCount, Usage } from '../contract/reply.js'

/** `0.8 s` */
export function seconds(ms: number | null): string {
  return `${((ms ?? 0) / 1000).toFixed(1)} s`
}

/** `3 steps`, `1 step`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

/** What one model call, or several, took: tokens and US dollars where they are known. */
export function spent(tokens: TokenCount | null, costUsd: number | null): string[] {
  return [
    ...(tokens === null ? [] : [`${tokens.promptTokens} + ${tokens.completionTokens} tokens`]),
    ...(costUsd === null ? [] : [dollars(costUsd)]),
  ]
}

/** All tokens of a run, unless nobody counted them. */
export function totalTokens({ totalTokens: total, uncountedCalls, modelCalls }: Usage): string {
  return uncountedCalls === modelCalls ? 'tokens unknown' : `${total} tokens`
}
