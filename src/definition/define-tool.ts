import type { Duration } from '@temporalio/common'
import { z } from 'zod'
import type { ToolAnnotations, ToolManifest } from '../contract/manifest.js'
import { RESERVED_ACTIVITY_TYPES } from '../contract/names.js'
import { anyFunction, anySchema, checkOptions } from './check-options.js'
import { DefinitionError } from './definition-error.js'
import { milliseconds } from './duration.js'
import { toJsonSchema } from './json-schema.js'
import { misreadsNull } from './strict/misreads-null.js'
import { toStrictSchema } from './strict/strict-schema.js'

/** What a tool gets beside its arguments. */
export interface ToolContext<C> {
  /** Who is asking, as the run was started with. Never in the prompt: the model cannot change it. */
  readonly context: C
  /** Aborted when the run is cancelled, the time-out passes or the worker stops: hand it on to I/O. */
  readonly signal: AbortSignal
  /**
   * The same for every attempt at this call, and after a reset; another for any other call. Store it in
   * a unique column, or send it as `Idempotency-Key`, so that a write happens once.
   */
  readonly idempotencyKey: string
  /** Attempt at this call, from 1. */
  readonly attempt: number
  /** Reports progress to Temporal, where the UI shows it; the worker heartbeats by itself. */
  readonly heartbeat: (details?: unknown) => void
  /** What the attempt before told by `heartbeat` last: to go on from there. */
  readonly heartbeatDetails: unknown
}

/** What a `context` schema puts out. Without one (C is never) nothing is known, and `any` lets a quick tool read it. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type ContextOf<C> = [C] extends [never] ? any : C extends z.ZodType ? z.output<C> : unknown

/** Options of {@link defineTool}. */
export interface ToolOptions<I extends z.ZodType, C extends z.ZodType> {
  /** What the model calls it: letters, digits, `_` and `-`, at most 64. */
  readonly name: string
  /** Says *when* to use the tool; the model chooses by it. */
  readonly description: string
  /** The arguments, an object schema. Each field's `.describe()` reaches the model. */
  readonly input: I
  /** The part of the run's context that the tool needs. @default not checked */
  readonly context?: C
  /** MCP's annotations. `readOnlyHint` or `idempotentHint` lets Temporal retry the call. @default none: runs once */
  readonly annotations?: ToolAnnotations
  /** Time that one attempt may take. @default '30s' */
  readonly timeout?: Duration
  /** Temporal's retry policy. A tool that is neither read-only nor idempotent is retried only where nothing happened. */
  readonly retry?: {
    /** Attempts at most, the first included. @default 3 */
    readonly maximumAttempts?: number
  }
  /** False: the call runs alone, with no other call of its step beside it. @default true */
  readonly parallel?: boolean
  /** True: asking again with the same arguments is its use, so repeat detection leaves it out. @default false */
  readonly polling?: boolean
  /**
   * How long a result answers the same call again, without running the tool: this turn, this run, or a time
   * such as '10 minutes'. For read-only tools. @default not at all
   */
  readonly cache?: 'turn' | 'run' | Duration
  /** Tools whose cached results a call of this tool makes worthless, such as ['lookup_order']. @default none */
  readonly invalidates?: readonly string[]
  /** Calls in one turn at most; the model is told of a call above it, and the tool is not run. @default no limit */
  readonly maxCalls?: number
  /**
   * True: runs as a local activity, which halves what a step costs. For read-only tools that take less than
   * a second: nothing of it is recorded before its workflow task ends, and it cannot heartbeat. @default false
   */
  readonly local?: boolean
  /** Argument fields that differ on every call (a timestamp): repeat detection leaves them out. @default none */
  readonly volatileFields?: readonly string[]
  /** Argument fields, at any depth, that summaries in the Temporal UI mask. @default none */
  readonly sensitive?: readonly string[]
  /** Told after an empty result, such as "Try search_orders by name." @default none */
  readonly emptyHint?: string
  /**
   * False: the arguments are described as they are, not in OpenAI's strict form (every property required,
   * optional ones nullable). @default true where the schema can be: no records, tuples or any values
   */
  readonly strict?: boolean
  /** Temporal's activity type, where two tools of one worker share a name. @default the name */
  readonly activityType?: string
  /**
   * **Contract:** returns any value that JSON can hold; throws `ToolError` for what the model should
   * read, anything else for what it should not; stops when `signal` aborts.
   */
  execute(input: z.output<I>, context: ToolContext<ContextOf<C>>): unknown
}

/** A tool, ready for `defineAgent`. */
export interface Tool {
  readonly name: string
  readonly input: z.ZodType
  readonly context: z.ZodType | undefined
  /** Told after an empty result. */
  readonly emptyHint: string | undefined
  /** The tool as the workflow and the model see it. */
  readonly manifest: ToolManifest
  execute(input: unknown, context: ToolContext<unknown>): unknown
}

const fields = z.array(z.string().min(1)).optional()
const flag = z.boolean().optional()
const optionsShape = z.strictObject({
  name: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"')
    .refine((name) => !isReserved(name), 'is a reserved name'),
  description: z.string().trim().min(1, 'must say when to use the tool'),
  input: anySchema,
  context: anySchema.optional(),
  annotations: z
    .strictObject({
      readOnlyHint: flag,
      idempotentHint: flag,
      destructiveHint: flag,
      openWorldHint: flag,
    })
    .optional(),
  timeout: z.union([z.string(), z.number()]).optional(),
  retry: z.strictObject({ maximumAttempts: z.int().min(1).optional() }).optional(),
  parallel: flag,
  polling: flag,
  volatileFields: fields,
  cache: z.union([z.string().min(1), z.number().positive()]).optional(),
  invalidates: fields,
  maxCalls: z.int().min(1).optional(),
  local: flag,
  sensitive: fields,
  strict: flag,
  emptyHint: z.string().min(1).max(500).optional(),
  activityType: z
    .string()
    .min(1)
    .max(200)
    .refine((type) => !isReserved(type), 'is a reserved name')
    .optional(),
  execute: anyFunction,
})

/**
 * Defines one function that a model may call. Each call is a Temporal activity of its own.
 *
 * @throws DefinitionError naming the field that is wrong
 */
export function defineTool<I extends z.ZodType, C extends z.ZodType = never>(
  options: ToolOptions<I, C>,
): Tool {
  const owner = `tool ${JSON.stringify(options?.name)}`
  checkOptions(optionsShape, options, owner)
  const plain = toJsonSchema(options.input, owner)
  const isLoose = options.strict === false || misreadsNull(options.input)
  const strict = isLoose ? null : toStrictSchema(plain)
  const annotations = options.annotations ?? {}
  if (annotations.readOnlyHint && annotations.destructiveHint) {
    throw new DefinitionError(`${owner}: annotations: read-only and destructive exclude each other`)
  }
  return {
    name: options.name,
    input: options.input,
    context: options.context,
    emptyHint: options.emptyHint,
    manifest: {
      name: options.name,
      description: options.description.toWellFormed(),
      parameters: strict ?? plain,
      strict: strict !== null,
      activityType: options.activityType ?? options.name,
      annotations,
      timeoutMs: milliseconds(options.timeout ?? '30s', `${owner}: timeout`),
      maximumAttempts: options.retry?.maximumAttempts ?? 3,
      parallel: options.parallel ?? true,
      polling: options.polling ?? false,
      volatileFields: options.volatileFields ?? [],
      sensitive: options.sensitive ?? [],
      ...savings(options, owner),
    },
    // The two casts meet what runTool guarantees: it parses by `input` and `context` first.
    execute: (input, context) =>
      options.execute(input as z.output<I>, context as ToolContext<ContextOf<C>>),
  }
}

type Savings = Pick<ToolManifest, 'cache' | 'invalidates' | 'local' | 'maxCalls'>

/** Options by which a tool is run less often, or cheaper. */
function savings(
  options: Pick<ToolOptions<z.ZodType, z.ZodType>, keyof Savings | 'annotations'>,
  owner: string,
): Savings {
  const { cache, invalidates, maxCalls, local } = options
  for (const option of ['cache', 'local'] as const) {
    if (options[option] && !options.annotations?.readOnlyHint) {
      throw new DefinitionError(
        `${owner}: ${option}: only for tools with the annotation readOnlyHint`,
      )
    }
  }
  return {
    ...(cache === undefined ? {} : { cache: cacheFor(cache, owner) }),
    ...(invalidates === undefined ? {} : { invalidates }),
    ...(maxCalls === undefined ? {} : { maxCalls }),
    ...(local ? { local } : {}),
  }
}

function cacheFor(cache: 'turn' | 'run' | Duration, owner: string): 'turn' | 'run' | number {
  return cache === 'turn' || cache === 'run' ? cache : milliseconds(cache, `${owner}: cache`)
}

function isReserved(name: string): boolean {
  return (RESERVED_ACTIVITY_TYPES as readonly string[]).includes(name)
}
