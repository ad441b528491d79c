import perdure from '../package.json' with { type: 'json' }
import { describeMachine, serverVersion } from './machine.js'
import { type FailedScenario, type Results, type ScenarioResult, sumUp } from './results.js'
import { measureRounds } from './rounds.js'
import type { Effort, Scenario } from './scenarios/scenario.js'
import { openStage, type Stage } from './stage.js'
import { judge } from './targets.js'

/** What `benchmark` needs. */
export interface BenchmarkOptions {
  readonly scenarios: readonly Scenario[]
  readonly hasPeers: boolean
  readonly effort: Effort
  readonly log: (line: string) => void
}

/** Starts a tuned dev server and workers, measures the scenarios one by one, and stops everything. */
export async function benchmark({ scenarios, ...options }: BenchmarkOptions): Promise<Results> {
  const begin = Date.now()
  const machine = describeMachine()
  const stage = await openStage(options)
  try {
    const results: ScenarioResult[] = []
    const failed: FailedScenario[] = []
    for (const scenario of scenarios) {
      try {
        results.push(await measure(scenario, stage))
      } catch (error) {
        // One that fails must not cost what the others take minutes to find.
        options.log(`${scenario.name} failed: ${error instanceof Error ? error.stack : error}`)
        failed.push({ name: scenario.name, error: String(error) })
        await stage.clear()
      }
    }
    return {
      format: 2,
      date: new Date(begin).toISOString(),
      seconds: Math.round((Date.now() - begin) / 1_000),
      perdure: perdure.version,
      effort: options.effort,
      machine: { ...machine, temporalServer: await serverVersion(stage.client) },
      scenarios: results,
      failed,
      targets: judge(results, new Set(scenarios.map(({ name }) => name))),
    }
  } finally {
    await stage.close()
  }
}

async function measure(scenario: Scenario, stage: Stage): Promise<ScenarioResult> {
  stage.log(scenario.title)
  const subjects = await scenario.subjects(stage)
  const rounds = await measureRounds(scenario, subjects, stage)
  return sumUp(scenario, rounds, subjects[0]?.name ?? '')
}
