import { expect, inject, test } from 'vitest'
import { installQuietRuntime } from '../kit/quiet-runtime.js'
import { storm } from '../storm/storm.js'

test('24 runs in a storm of faults: all are answered, nothing is done twice, no request is unaccounted for', async () => {
  installQuietRuntime()
  const { address, bundle } = inject('temporal')
  const figures = await storm({
    seed: 7,
    modelFaults: 0.3,
    toolFaults: 0.2,
    inARow: 2,
    runs: 24,
    atOnce: 12,
    address,
    workflowBundle: { codePath: bundle },
  })
  expect(figures).toMatchObject({
    ends: { answered: 24 },
    workflowTaskFailures: 0,
    doubled: 0,
    requests: figures.attempts + figures.resends,
  })
  // A storm that did not blow would prove nothing.
  expect(Object.keys(figures.faults).length).toBeGreaterThan(8)
})
