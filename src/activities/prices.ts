import type { Price } from '../contract/manifest.js'

/** What models cost: a table by name, or a function. None ship with perdure: they change without notice. */
export type Prices = Readonly<Record<string, Price>> | ((model: string) => Price | undefined)

/** The price of a model, when it is known. */
export function lookUpPrice(prices: Prices | undefined, model: string): Price | undefined {
  if (typeof prices === 'function') return prices(model)
  return prices !== undefined && Object.hasOwn(prices, model) ? prices[model] : undefined
}
