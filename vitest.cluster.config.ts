import { defineConfig } from 'vitest/config'
import type { ClusterPlace } from './test/cluster/cluster.js'
import { CLUSTER_VARIABLE } from './test/cluster/place-variable.js'
import { ClosingLine } from './test/kit/closing-line.js'

const place = process.env[CLUSTER_VARIABLE]
if (place === undefined) throw new Error('These tests need a cluster: npm run test:cluster')

/** Not part of `npm test`: a server has to be built first. */
export default defineConfig({
  test: {
    name: 'cluster',
    include: ['test/cluster/**/*.test.ts'],
    provide: { cluster: JSON.parse(place) as ClusterPlace },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['verbose', new ClosingLine()],
  },
})
