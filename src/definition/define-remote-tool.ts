import type { Duration } from '@temporalio/common'
import { z } from 'zod'
import type { RemoteTarget } from '../contract/manifest.js'
import { anyFunction, checkOptions } from './check-options.js'
import type { Tool } from './define-tool.js'
import { milliseconds } from './duration.js'
import { readJsonSchema } from './given-schema.js'
import { toStrictSchema } from './strict/strict-schema.js'
import { type CommonToolOptions, commonShape, duration, toolManifest } from './tool-manifest.js'

/** Options of {@link defineRemoteTool}. */
export interface RemoteToolOptions extends CommonToolOptions {
  /**
   * JSON schema of the arguments, `type: 'object'` at its root, in draft 7 or 2020-12. A call that does
   * not fit never reaches the other worker.
   */
  readonly inputSchema: object
  /** The task queue of the other worker; not that of perdure's own. */
  readonly taskQueue: string
  /**
   * Time that a call may wait for a worker to take it: also when all of them are busy. After it the model
   * is told that the tool is not available. @default '1 minute'
   */
  readonly scheduleToStartTimeout?: Duration
  /** Whether a person must approve a call. @default as the agent's `approvals.default` says */
  readonly approval?: 'always' | 'never' | ((input: unknown) => boolean | string)
  /** For an activity that heartbeats: a worker silent for so long is dead. @default none: `timeout` tells */
  readonly heartbeatTimeout?: Duration
}

const optionsShape = z.strictObject({
  ...commonShape,
  inputSchema: z.record(z.string(), z.unknown(), 'must be a JSON schema'),
  taskQueue: z.string().trim().min(1, 'must name the task queue of the other worker'),
  scheduleToStartTimeout: duration,
  heartbeatTimeout: duration,
  approval: z.union([z.enum(['always', 'never']), anyFunction]).optional(),
})

/**
 * Defines a tool whose activity runs in a Temporal worker of its own, in any language: one activity of
 * the type of the tool's name, which gets one JSON object and returns JSON. docs/protocol.md has both.
 *
 * A tool that is neither read-only nor idempotent gets one attempt: no other SDK tells whether nothing
 * happened.
 *
 * @throws DefinitionError naming the field that is wrong
 */
export function defineRemoteTool(options: RemoteToolOptions): Tool {
  const owner = `tool ${JSON.stringify(options?.name)}`
  checkOptions(optionsShape, options, owner)
  const { plain, check } = readJsonSchema(options.inputSchema, owner)
  const strict = options.strict === false ? null : toStrictSchema(plain)
  const manifest = toolManifest(options, { plain, strict }, owner)
  return {
    name: options.name,
    input: check,
    context: undefined,
    emptyHint: undefined,
    approval: options.approval,
    manifest: { ...manifest, remote: remoteTarget(options, owner) },
    execute: () => {
      throw new Error(`${owner} runs in the workers of task queue "${options.taskQueue}" only.`)
    },
  }
}

function remoteTarget(options: RemoteToolOptions, owner: string): RemoteTarget {
  const { taskQueue, scheduleToStartTimeout = '1 minute', heartbeatTimeout } = options
  const place = (field: string) => `${owner}: ${field}`
  return {
    taskQueue,
    scheduleToStartMs: milliseconds(scheduleToStartTimeout, place('scheduleToStartTimeout')),
    ...(heartbeatTimeout === undefined
      ? {}
      : { heartbeatTimeoutMs: milliseconds(heartbeatTimeout, place('heartbeatTimeout')) }),
  }
}
