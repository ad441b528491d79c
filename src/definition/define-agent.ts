import type { Duration } from '@temporalio/common'
import { z } from 'zod'
import type { Limits, Manifest, ModelSettings } from '../contract/manifest.js'
import { anySchema, checkOptions } from './check-options.js'
import type { Tool } from './define-tool.js'
import { DefinitionError } from './definition-error.js'
import { milliseconds } from './duration.js'

/** Options of {@link defineAgent}. */
export interface AgentOptions {
  /** What callers start it by: 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string
  /** The system message. */
  readonly instructions: string
  /** The model's name at the provider, such as `gpt-4o-mini`. `OPENAI_MODEL` replaces it. */
  readonly model: string
  /** Sampling settings; only those that are set are sent. @default none */
  readonly modelSettings?: ModelSettings
  /** Time that one attempt at a model call may take. @default '5 minutes' */
  readonly modelTimeout?: Duration
  /** Temporal's retry policy for model calls. */
  readonly modelRetry?: {
    /** Attempts at most, the first included. @default 6 */
    readonly maximumAttempts?: number
  }
  /** Schema of the context that each run must be started with. @default not checked */
  readonly context?: z.ZodType
  /** Tools that the model may call. @default none */
  readonly tools?: readonly Tool[]
  /** Limits of one turn. */
  readonly limits?: Partial<Limits>
  /** At a limit: one last answer without tools, or the run fails with the partial work. @default 'answer' */
  readonly onLimit?: 'answer' | 'fail'
  /** A tool that is down for longer than its retries: the model is told, or the run fails. @default 'observe' */
  readonly onToolFailure?: 'observe' | 'fail'
  /** False: one tool call a step, and the model is told so. @default true */
  readonly parallel?: boolean
}

/** An agent, ready for `runWorker`. */
export interface Agent {
  readonly name: string
  readonly model: string
  readonly limits: Limits
  readonly context: z.ZodType | undefined
  readonly tools: readonly Tool[]
  /** The definition as data; the worker adds what only it knows. */
  readonly manifest: Omit<Manifest, 'heartbeatTimeoutMs' | 'searchAttributes'>
}

/** maxSteps when an agent does not say. Most tasks take 3 to 5 model calls; a loop shows well before 8. */
const DEFAULT_MAX_STEPS = 8

const optionsShape = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"'),
  instructions: z.string().trim().min(1, 'must not be empty'),
  model: z.string().trim().min(1, 'must name a model'),
  modelSettings: z
    .strictObject({
      temperature: z.number().min(0).optional(),
      topP: z.number().gt(0).max(1).optional(),
      maxTokens: z.int().min(1).optional(),
      seed: z.int().optional(),
      stop: z.array(z.string().min(1)).optional(),
    })
    .optional(),
  modelTimeout: z.union([z.string(), z.number()]).optional(),
  modelRetry: z.strictObject({ maximumAttempts: z.int().min(1).optional() }).optional(),
  context: anySchema.optional(),
  tools: z
    .array(
      z.custom<Tool>(
        (tool) =>
          typeof tool === 'object' && tool !== null && 'manifest' in tool && 'execute' in tool,
        'must be made by defineTool',
      ),
    )
    .optional(),
  limits: z.strictObject({ maxSteps: z.int().min(1).optional() }).optional(),
  onLimit: z.enum(['answer', 'fail']).optional(),
  onToolFailure: z.enum(['observe', 'fail']).optional(),
  parallel: z.boolean().optional(),
})

/**
 * Defines an agent: instructions, model, tools and limits. Pure data, apart from what its tools execute.
 *
 * @throws DefinitionError naming the field that is wrong
 */
export function defineAgent(options: AgentOptions): Agent {
  const owner = `agent ${JSON.stringify(options?.name)}`
  checkOptions(optionsShape, options, owner)
  const tools = options.tools ?? []
  rejectTwins(tools, owner)
  const limits = { maxSteps: options.limits?.maxSteps ?? DEFAULT_MAX_STEPS }
  return {
    name: options.name,
    model: options.model.trim(),
    limits,
    context: options.context,
    tools,
    manifest: {
      agent: options.name,
      instructions: options.instructions.toWellFormed(),
      model: options.model.trim(),
      modelSettings: options.modelSettings ?? {},
      tools: tools.map((tool) => tool.manifest),
      limits,
      onLimit: options.onLimit ?? 'answer',
      onToolFailure: options.onToolFailure ?? 'observe',
      parallel: options.parallel ?? true,
      modelTimeoutMs: milliseconds(options.modelTimeout ?? '5 minutes', `${owner}: modelTimeout`),
      modelMaximumAttempts: options.modelRetry?.maximumAttempts ?? 6,
    },
  }
}

function rejectTwins(tools: readonly Tool[], owner: string): void {
  const seen = new Set<string>()
  for (const [index, { name }] of tools.entries()) {
    if (seen.has(name)) {
      throw new DefinitionError(`${owner}: tools.${index}: a second tool named "${name}"`)
    }
    seen.add(name)
  }
}
