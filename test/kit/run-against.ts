import type { Agent } from '../../src/index.js'
import { type OpenAIOptions, openAIModel } from '../../src/models/openai.js'
import { startHarness } from './harness.js'
import { type RunFigures, runFigures } from './run-figures.js'

/** Runs an agent against a model server of the test's own, once for each input, all at once. */
export async function runAgainst(
  model: OpenAIOptions,
  agent: Agent,
  inputs: readonly string[],
): Promise<readonly RunFigures[]> {
  const worker = { model: openAIModel(model) }
  const { client } = await startHarness({ agents: [agent], script: [], worker })
  return await Promise.all(
    inputs.map(async (input) => {
      const { id } = await client.start(agent.name, { input })
      return await runFigures(client, id)
    }),
  )
}

/** Requests that a server must have seen, if nothing went to it that Temporal does not know of. */
export function requestsOf(runs: readonly RunFigures[]): number {
  return runs.reduce((sum, { attempts, resends }) => sum + attempts + resends, 0)
}
