import { defineConfig } from 'vitest/config'

/** The tests that must catch a mutant: those of the rules and of the failure table, without a server. */
export default defineConfig({
  test: {
    include: [
      'test/unit/agent/{loop,loop.limits}.test.ts',
      'test/unit/agent/stop-rules/*.test.ts',
      'test/unit/activities/{failures,retry-after}*.test.ts',
      'test/unit/docs/failures.test.ts',
    ],
  },
})
