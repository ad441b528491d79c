import { hostPerdure } from './host.js'

await hostPerdure('o200k')
