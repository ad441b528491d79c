import { Client, Connection } from '@temporalio/client'
import perdure from '../package.json' with { type: 'json' }
import { serverConfig } from '../src/config.js'
import { startDevServer } from '../src/testing/index.js'
import { describeMachine, serverVersion } from './machine.js'
import { type Results, type ScenarioResult, sumUp } from './results.js'
import { measureRounds, warmUp } from './rounds.js'
import { SCENARIOS } from './scenarios/index.js'
import type { Effort } from './scenarios/scenario.js'
import { floor } from './stacks/index.js'
import { type RunningStack, startStack } from './stacks/running-stack.js'
import type { Stack } from './stacks/stack.js'
import { judge } from './targets.js'

/** What `benchmark` needs. */
export interface BenchmarkOptions {
  readonly stacks: readonly Stack[]
  readonly effort: Effort
  readonly log: (line: string) => void
}

/** Starts a tuned dev server and the worker of each stack, measures all scenarios, and stops everything. */
export async function benchmark({ stacks, effort, log }: BenchmarkOptions): Promise<Results> {
  const date = new Date().toISOString()
  const machine = describeMachine()
  const { path, dir } = serverConfig()
  const server = await startDevServer({ path, dir, headless: true, log })
  const running: RunningStack[] = []
  try {
    const { address } = server
    const connection = await Connection.connect({ address })
    const client = new Client({ connection })
    for (const stack of stacks) {
      log(`${stack.name}: worker starts`)
      running.push(await startStack(stack, client, address))
    }
    log('warm-up')
    await warmUp(running, effort)
    const scenarios: ScenarioResult[] = []
    for (const scenario of SCENARIOS) {
      const rounds = await measureRounds(scenario, running, { effort, log })
      scenarios.push(sumUp(scenario, rounds, floor.name))
    }
    const temporalServer = await serverVersion(client)
    await connection.close()
    return {
      format: 1,
      date,
      perdure: perdure.version,
      effort,
      machine: { ...machine, temporalServer },
      stacks: stacks.map(({ name, what }) => ({ name, what })),
      scenarios,
      targets: judge(scenarios),
    }
  } finally {
    await Promise.all(running.map((stack) => stack.stop()))
    await server.kill()
  }
}
