import type { Manifest, Price } from './manifest.js'
import type { TokenCount } from './reply.js'

/** US dollars of some tokens. */
export function priceOf(price: Price, { promptTokens, completionTokens }: TokenCount): number {
  return (
    (promptTokens * price.promptPerMillion + completionTokens * price.completionPerMillion) / 1e6
  )
}

/** The price of a model, where the worker knows one. */
export function modelPrice({ prices }: Pick<Manifest, 'prices'>, model: string): Price | undefined {
  // A Map, so that a model named constructor has no price of its own.
  return new Map(Object.entries(prices ?? {})).get(model)
}

/** US dollars of what each model used; null when prices are not known, or that of a model in it is not. */
export function costOfUsage(
  manifest: Pick<Manifest, 'prices'>,
  usageByModel: Readonly<Record<string, TokenCount>>,
): number | null {
  if (manifest.prices === undefined) return null
  let sum = 0
  for (const [model, usage] of Object.entries(usageByModel)) {
    const price = modelPrice(manifest, model)
    if (price === undefined) return null
    sum += priceOf(price, usage)
  }
  return sum
}

/** An amount for people: `$1.25`, `$0.0031`. What is smaller still is said to be so. */
export function dollars(usd: number): string {
  if (usd > 0 && usd < 0.0001) return '<$0.0001'
  return `$${usd.toFixed(usd >= 1 || usd === 0 ? 2 : 4)}`
}
