import { startState } from '../../../src/agent/state.js'
import type { JsonObject } from '../../../src/contract/json.js'
import type { Limits, Manifest, ToolManifest } from '../../../src/contract/manifest.js'
import type { RunState } from '../../../src/contract/run.js'

/** A tool's manifest; what a test does not say has defineTool's default. */
export function toolOf(name: string, changes: Partial<ToolManifest> = {}): ToolManifest {
  return {
    name,
    description: `Use ${name} in tests.`,
    parameters: { type: 'object' },
    strict: false,
    activityType: name,
    annotations: {},
    timeoutMs: 30_000,
    maximumAttempts: 3,
    parallel: true,
    polling: false,
    volatileFields: [],
    sensitive: [],
    ...changes,
  }
}

/** What a test says of an agent; the rest has defineAgent's default. */
export interface ManifestChanges extends Partial<Omit<Manifest, 'limits'>> {
  readonly maxSteps?: number
  readonly limits?: Partial<Limits>
}

/** An agent with the tools `search`, `read` and `list` unless the test names others. */
export function manifestOf({
  maxSteps = 8,
  limits = {},
  ...changes
}: ManifestChanges = {}): Manifest {
  return {
    agent: 'tester',
    instructions: 'Answer.',
    model: 'test-model',
    modelSettings: {},
    tools: [toolOf('search'), toolOf('read'), toolOf('list')],
    limits: { maxSteps, ...limits },
    onLimit: 'answer',
    onToolFailure: 'observe',
    parallel: true,
    modelTimeoutMs: 300_000,
    modelMaximumAttempts: 6,
    heartbeatTimeoutMs: 10_000,
    searchAttributes: [],
    ...changes,
  }
}

/** The state of a run that was asked "Where is my order?". */
export function stateOf(
  changes: ManifestChanges = {},
  context: JsonObject | null = null,
): RunState {
  return startState({
    manifest: manifestOf(changes),
    input: 'Where is my order?',
    context,
    origin: 'first-run',
    turn: 1,
  })
}
