import { modelPrice, priceOf } from '../../contract/price.js'
import type { TokenCount } from '../../contract/reply.js'
import type { DefinitionReader } from './definition-reader.js'

/** US dollars of one model call; null when its tokens or the model's price are not known. */
export function stepCost(
  { manifest }: Pick<DefinitionReader, 'manifest'>,
  model: string,
  tokens: TokenCount | null,
): number | null {
  const price = manifest === undefined ? undefined : modelPrice(manifest, model)
  return price === undefined || tokens === null ? null : priceOf(price, tokens)
}
