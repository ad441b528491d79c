import type { Manifest, Price } from '../contract/manifest.js'
import type { TokenCount } from '../contract/reply.js'
import type { RunState } from '../contract/run.js'

/** US dollars of some tokens. */
export function priceOf(price: Price, { promptTokens, completionTokens }: TokenCount): number {
  return (
    (promptTokens * price.promptPerMillion + completionTokens * price.completionPerMillion) / 1e6
  )
}

/** The price of a model, where the worker knows one. */
export function modelPrice({ prices }: Manifest, model: string): Price | undefined {
  // A Map, so that a model named constructor has no price of its own.
  return new Map(Object.entries(prices ?? {})).get(model)
}

/** US dollars so far; null when a model that answered has no price. */
export function costOf({ manifest, usageByModel = {} }: RunState): number | null {
  if (manifest.prices === undefined) return null
  let sum = 0
  for (const [model, usage] of Object.entries(usageByModel)) {
    const price = modelPrice(manifest, model)
    if (price === undefined) return null
    sum += priceOf(price, usage)
  }
  return sum
}
