import {
  ActivityFailure,
  type ActivityInterfaceFor,
  type ActivityOptions,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  TemporalFailure,
} from '@temporalio/workflow'
import type { LoopEffects } from '../agent/loop.js'
import { fallBack, modelOf } from '../agent/models.js'
import { asideSummary, modelSummary } from '../agent/render.js'
import { toolErrorText } from '../agent/tool-failure.js'
import type {
  AgentActivities,
  CallModelInput,
  ToolCallInput,
  ToolOutcome,
} from '../contract/activities.js'
import { FAILURE, type RunFailureDetail } from '../contract/failures.js'
import type { ToolManifest } from '../contract/manifest.js'
import { READ_MORE_TOOL } from '../contract/read-more.js'
import { remoteObservation } from '../contract/remote-result.js'
import type { ModelReply } from '../contract/reply.js'
import type { FailureReason, RunState } from '../contract/run.js'
import { toolFailureOf } from './tool-error.js'
import { localOptions, toolOptions } from './tool-options.js'
import { untilDecided } from './until-decided.js'

/** Attempts at a model call that the turn can do without: an outage must not hold it up twice. */
const ASIDE_ATTEMPTS = 2

type Prepare = ActivityInterfaceFor<Pick<AgentActivities, 'prepareTurn'>>
type Check = ActivityInterfaceFor<Pick<AgentActivities, 'checkCall'>>
/** A remote tool's activity returns any JSON, perdure's own the outcome. */
type ToolActivities = Record<string, (input: ToolCallInput) => Promise<unknown>>
interface Artifacts {
  read_more: AgentActivities['readArtifact']
}
type ModelActivities = Pick<AgentActivities, 'callModel' | 'chooseStrategy' | 'summarize'>
type Model = ActivityInterfaceFor<ModelActivities>

const local: Prepare = proxyLocalActivities<Pick<AgentActivities, 'prepareTurn'>>({
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
})
const checks: Check = proxyActivities<Pick<AgentActivities, 'checkCall'>>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: 5 },
})
const model: Model = proxyActivities<ModelActivities>({
  startToCloseTimeout: '5 minutes',
})
const tools: ActivityInterfaceFor<ToolActivities> = proxyActivities<ToolActivities>({
  startToCloseTimeout: '1 minute',
})

const localTools: ActivityInterfaceFor<ToolActivities> = proxyLocalActivities<ToolActivities>({
  startToCloseTimeout: '1 minute',
})
const artifacts: ActivityInterfaceFor<Artifacts> = proxyActivities<Artifacts>({
  startToCloseTimeout: '1 minute',
})

/** Reads the agent's definition, or ends the run with the reason. */
export const prepareTurn: AgentActivities['prepareTurn'] = async (input) => {
  try {
    return await local.prepareTurn(input)
  } catch (error) {
    throw runFailure(error, 'definition_error', { turn: input.turn, step: 0 })
  }
}

/**
 * Checks arguments that a person has changed. No local activity: one that an update's handler runs, while
 * the workflow goes on beside it, does not replay in the order in which it ran (SDK 1.23.0).
 */
export const checkCall: AgentActivities['checkCall'] = (input) => checks.checkCall(input)

/** The activities of a run, with the options that its manifest gives them. */
export function activitiesOf(
  state: RunState,
  shouldLeave: () => boolean,
): Omit<LoopEffects, 'now' | 'report' | 'shouldContinue'> {
  return {
    chooseStrategy: async (input) => {
      const options = asideOptions(state, 'strategy', input.model)
      return await orNull(model.chooseStrategy.executeWithOptions(options, [input]))
    },
    summarize: async (input) => {
      const options = asideOptions(state, 'summary', input.model)
      return await orNull(model.summarize.executeWithOptions(options, [input]))
    },
    callModel: (input) => callModel(state, input),
    runTool: (tool, input) => runTool(state, tool, input),
    untilDecided: (request) => untilDecided(state, request, shouldLeave),
    readArtifact: async (input) => {
      const options = toolOptions(state.manifest, READ_MORE_TOOL, { step: input.step, args: {} })
      try {
        return await artifacts.read_more.executeWithOptions(options, [input])
      } catch (error) {
        return failedTool(error, state, READ_MORE_TOOL, input)
      }
    },
  }
}

// These two are not async, and neither is what calls them: each function that is costs the sandbox two
// promises, of which the SDK takes a stack trace each.

/** Asks the model, and the next one of the manifest when a model's attempts are used up. */
function callModel(state: RunState, input: CallModelInput): Promise<ModelReply> {
  const name = modelOf(state)
  const request = name === state.manifest.model ? input : { ...input, model: name }
  const options = modelOptions(state, name, input.forced === true)
  return model.callModel.executeWithOptions(options, [request]).catch((error: unknown) => {
    if (!(error instanceof TemporalFailure) || isCancellation(error) || !fallBack(state)) {
      throw runFailure(error, 'model_error', { turn: input.turn, step: input.step })
    }
    return callModel(state, input)
  })
}

function runTool(state: RunState, tool: ToolManifest, input: ToolCallInput): Promise<ToolOutcome> {
  // The proxy makes an activity of any name; the manifest says which one.
  const proxy = tool.local ? localTools : tools
  const activity = proxy[tool.activityType] as (typeof tools)[string]
  const options = tool.local ? localOptions(tool, input) : toolOptions(state.manifest, tool, input)
  return activity.executeWithOptions(options, [input]).then(
    (result) => (tool.remote ? { text: remoteObservation(result) } : (result as ToolOutcome)),
    (error: unknown) => failedTool(error, state, tool, input),
  )
}

function modelOptions(
  { manifest, step }: RunState,
  name: string,
  forced: boolean,
): ActivityOptions {
  return {
    summary: modelSummary(step, name, forced),
    startToCloseTimeout: manifest.modelTimeoutMs,
    heartbeatTimeout: manifest.heartbeatTimeoutMs,
    retry: {
      initialInterval: '1s',
      backoffCoefficient: 2,
      maximumInterval: '30s',
      maximumAttempts: manifest.modelMaximumAttempts,
    },
  }
}

/** For a model call that the turn can do without. */
function asideOptions(state: RunState, what: string, name = state.manifest.model): ActivityOptions {
  const options = modelOptions(state, name, false)
  return {
    ...options,
    summary: asideSummary(what, name),
    retry: { ...options.retry, maximumAttempts: ASIDE_ATTEMPTS },
  }
}

/** Null when an activity failed, whatever the cause. */
async function orNull<T>(activity: Promise<T>): Promise<T | null> {
  try {
    return await activity
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error
    return null
  }
}

/** Turns a tool that is out of attempts into an observation, or ends the run if the agent wants that. */
function failedTool(
  error: unknown,
  { manifest }: RunState,
  tool: ToolManifest,
  input: Pick<ToolCallInput, 'turn' | 'step' | 'call'>,
): ToolOutcome {
  if (isCancellation(error)) throw error
  if (manifest.onToolFailure === 'fail') throw runFailure(error, 'tool_failure', input)
  return { text: toolErrorText(toolFailureOf(error), tool), error: true }
}

/** The failure that ends a run, with the place that a retry resets to. */
function runFailure(
  error: unknown,
  reason: FailureReason,
  at: { readonly turn: number; readonly step: number; readonly call?: number },
): unknown {
  // A plain error is a bug in this package: the workflow task fails until a deployment mends it.
  if (!(error instanceof TemporalFailure) || isCancellation(error)) return error
  // A local activity's failure comes bare, another's wrapped.
  const activity = error instanceof ActivityFailure ? error : undefined
  const detail: RunFailureDetail = {
    reason,
    turn: at.turn,
    step: at.step,
    ...(at.call === undefined ? {} : { call: at.call }),
    ...(activity?.activityId === undefined ? {} : { activityId: activity.activityId }),
  }
  return ApplicationFailure.create({
    type: FAILURE.run,
    message: `${reason}: ${activity?.cause?.message ?? error.message}`,
    nonRetryable: true,
    details: [detail],
    cause: error,
  })
}
