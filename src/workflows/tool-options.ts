import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow'
import { callSummary } from '../agent/render.js'
import type { ToolCallInput } from '../contract/activities.js'
import {
  isRepeatable,
  type Manifest,
  type RemoteTarget,
  type ToolManifest,
} from '../contract/manifest.js'

/** How the activity of one call is scheduled. */
export function toolOptions(
  manifest: Manifest,
  tool: ToolManifest,
  { step, args }: Pick<ToolCallInput, 'step' | 'args'>,
): ActivityOptions {
  const summary = callSummary(step, args, tool)
  return tool.remote === undefined
    ? ownOptions(manifest, tool, summary)
    : remoteOptions(tool.remote, tool, summary)
}

/** For a quick read-only tool: no heartbeat, and what failed is tried again in the same workflow task. */
export function localOptions(
  tool: ToolManifest,
  { step, args }: Pick<ToolCallInput, 'step' | 'args'>,
): LocalActivityOptions {
  return {
    summary: callSummary(step, args, tool),
    startToCloseTimeout: tool.timeoutMs,
    retry: backoff(tool.maximumAttempts),
  }
}

function ownOptions(manifest: Manifest, tool: ToolManifest, summary: string): ActivityOptions {
  return {
    summary,
    startToCloseTimeout: tool.timeoutMs,
    heartbeatTimeout: manifest.heartbeatTimeoutMs,
    retry: {
      ...backoff(tool.maximumAttempts),
      // After these two nobody knows whether the tool did its work, so only a repeatable one tries again.
      ...(isRepeatable(tool)
        ? {}
        : {
            nonRetryableErrorTypes: ['TemporalTimeout:Heartbeat', 'TemporalTimeout:StartToClose'],
          }),
    },
  }
}

function remoteOptions(remote: RemoteTarget, tool: ToolManifest, summary: string): ActivityOptions {
  const { taskQueue, scheduleToStartMs, heartbeatTimeoutMs } = remote
  return {
    summary,
    taskQueue,
    startToCloseTimeout: tool.timeoutMs,
    // Without it a run would wait for a worker for ever.
    scheduleToStartTimeout: scheduleToStartMs,
    ...(heartbeatTimeoutMs === undefined ? {} : { heartbeatTimeout: heartbeatTimeoutMs }),
    // Other SDKs mark any exception as one to retry.
    retry: backoff(isRepeatable(tool) ? tool.maximumAttempts : 1),
    // An activity that does not heartbeat never hears of it: the run must not wait for its end.
    cancellationType: 'TRY_CANCEL',
  }
}

function backoff(maximumAttempts: number) {
  return {
    initialInterval: '1s',
    backoffCoefficient: 2,
    maximumInterval: '30s',
    maximumAttempts,
  } as const
}
