import { defineConfig } from 'vitest/config'
import { CasesTable } from './test/kit/cases-table.js'
import { ClosingLine } from './test/kit/closing-line.js'

const SLOW = { testTimeout: 120_000, hookTimeout: 120_000 }
const SERVER = { ...SLOW, globalSetup: ['test/kit/global-setup.ts'] }

export default defineConfig({
  test: {
    reporters: ['default', new CasesTable(), new ClosingLine()],
    coverage: {
      include: ['src/agent/**', 'src/activities/**'],
      reporter: ['text'],
      thresholds: { branches: 95 },
    },
    // Groups run one after the other, the files of a group beside each other.
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          isolate: false,
          // The property tests take seconds, and more on a machine with other work.
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'sandbox',
          include: ['test/sandbox/**/*.test.ts'],
          ...SLOW,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'workflow',
          include: ['test/workflow/**/*.test.ts'],
          ...SERVER,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'cases',
          include: ['test/cases/**/*.test.ts'],
          isolate: false,
          ...SERVER,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          ...SERVER,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
