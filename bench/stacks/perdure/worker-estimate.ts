import { hostPerdure } from './host.js'

await hostPerdure('estimate')
