import type { Price } from '../contract/manifest.js'
import { DefinitionError } from '../definition/definition-error.js'

/** What models cost: a table by name, or a function. None ship with perdure: they change without notice. */
export type Prices = Readonly<Record<string, Price>> | ((model: string) => Price | undefined)

/**
 * The price of a model, when it is known.
 *
 * @throws DefinitionError when it is none: no budget could be kept by it
 */
export function lookUpPrice(prices: Prices | undefined, model: string): Price | undefined {
  const price = typeof prices === 'function' ? prices(model) : own(prices, model)
  if (price === undefined || price === null) return undefined
  const { promptPerMillion, completionPerMillion } = price
  if (isAmount(promptPerMillion) && isAmount(completionPerMillion)) {
    return { promptPerMillion, completionPerMillion }
  }
  throw new DefinitionError(
    `prices: "${model}" needs promptPerMillion and completionPerMillion, US dollars from 0.`,
  )
}

function own(prices: Exclude<Prices, (model: string) => unknown> = {}, model: string) {
  return Object.hasOwn(prices, model) ? prices[model] : undefined
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
