import { costOfUsage } from '../contract/price.js'
import type { RunState } from '../contract/run.js'

/** US dollars so far; null when a model that answered has no price. */
export function costOf({ manifest, usageByModel = {} }: RunState): number | null {
  return costOfUsage(manifest, usageByModel)
}
