import type { Reporter, TestModule } from 'vitest/node'

/**
 * Prints each skipped test with its reason and, as the last line of every run, `N passed, N failed`, which
 * CI systems read.
 */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      if (module.children.size === 0 || module.errors().length > 0) count.failed++
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'pending') continue
        count[result.state]++
        if (result.state === 'skipped') {
          console.log(`skipped: ${test.fullName}: ${result.note ?? 'no reason given'}`)
        }
      }
    }
    const skipped = count.skipped === 0 ? '' : `, ${count.skipped} skipped`
    console.log(`${count.passed} passed, ${count.failed} failed${skipped}`)
  }
}
