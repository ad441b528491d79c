import type { Check } from '../check.js'
import { agents } from './agents.js'
import { clock } from './clock.js'
import { completion } from './completion.js'
import { lint } from './lint.js'
import { model } from './model.js'
import { namespace } from './namespace.js'
import { searchAttributes } from './search-attributes.js'
import { server } from './server.js'
import { tuning } from './tuning.js'
import { workers } from './workers.js'

/** What a doctor looks at, in this order. A new check: one file and one line here. */
export const CHECKS: readonly Check[] = [
  server,
  namespace,
  searchAttributes,
  workers,
  tuning,
  clock,
  agents,
  lint,
  model,
  completion,
]
