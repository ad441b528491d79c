import type { Duration } from '@temporalio/common'
import { z } from 'zod'
import type { JsonObject } from '../contract/json.js'
import type { ToolAnnotations, ToolManifest } from '../contract/manifest.js'
import { RESERVED_ACTIVITY_TYPES } from '../contract/names.js'
import { DefinitionError } from './definition-error.js'
import { milliseconds } from './duration.js'

/** What every tool may say of itself, wherever its activity runs. */
export interface CommonToolOptions {
  /** What the model calls it: letters, digits, `_` and `-`, at most 64. */
  readonly name: string
  /** Says *when* to use the tool; the model chooses by it. */
  readonly description: string
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
  /** Argument fields that differ on every call (a timestamp): repeat detection leaves them out. @default none */
  readonly volatileFields?: readonly string[]
  /** Argument fields, at any depth, that summaries in the Temporal UI mask. @default none */
  readonly sensitive?: readonly string[]
  /**
   * False: the arguments are described as they are, not in OpenAI's strict form (every property required,
   * optional ones nullable). @default true where the schema can be: no records, tuples or any values
   */
  readonly strict?: boolean
  /** Temporal's activity type, where two tools of one worker share a name. @default the name */
  readonly activityType?: string
}

const fields = z.array(z.string().min(1)).optional()
const flag = z.boolean().optional()

/** A duration; {@link milliseconds} reads it. */
export const duration = z.union([z.string(), z.number()]).optional()

/** The shape of {@link CommonToolOptions}. */
export const commonShape = {
  name: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"')
    .refine((name) => !isReserved(name), 'is a reserved name'),
  description: z.string().trim().min(1, 'must say when to use the tool'),
  annotations: z
    .strictObject({
      readOnlyHint: flag,
      idempotentHint: flag,
      destructiveHint: flag,
      openWorldHint: flag,
    })
    .optional(),
  timeout: duration,
  retry: z.strictObject({ maximumAttempts: z.int().min(1).optional() }).optional(),
  parallel: flag,
  polling: flag,
  volatileFields: fields,
  cache: z.union([z.string().min(1), z.number().positive()]).optional(),
  invalidates: fields,
  maxCalls: z.int().min(1).optional(),
  sensitive: fields,
  strict: flag,
  activityType: z
    .string()
    .min(1)
    .max(200)
    .refine((type) => !isReserved(type), 'is a reserved name')
    .optional(),
} as const

/** The arguments of a tool as the model sees them. */
export interface ToolParameters {
  readonly plain: JsonObject
  /** Null where the schema has no strict form, or must not be in it. */
  readonly strict: JsonObject | null
}

/**
 * A tool as the workflow and the model see it.
 *
 * @throws DefinitionError naming the field that is wrong
 */
export function toolManifest(
  options: CommonToolOptions,
  { plain, strict }: ToolParameters,
  owner: string,
): ToolManifest {
  const annotations = options.annotations ?? {}
  if (annotations.readOnlyHint && annotations.destructiveHint) {
    throw new DefinitionError(`${owner}: annotations: read-only and destructive exclude each other`)
  }
  return {
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
  }
}

type Savings = Pick<ToolManifest, 'cache' | 'invalidates' | 'maxCalls'>

/** Options by which a tool is run less often. */
function savings(
  { cache, invalidates, maxCalls, annotations }: CommonToolOptions,
  owner: string,
): Savings {
  if (cache !== undefined && !annotations?.readOnlyHint) throw readOnlyAlone(owner, 'cache')
  return {
    ...(cache === undefined ? {} : { cache: cacheFor(cache, owner) }),
    ...(invalidates === undefined ? {} : { invalidates }),
    ...(maxCalls === undefined ? {} : { maxCalls }),
  }
}

/** For an option that a tool which changes something must not have. */
export function readOnlyAlone(owner: string, option: string): DefinitionError {
  return new DefinitionError(`${owner}: ${option}: only for tools with the annotation readOnlyHint`)
}

function cacheFor(cache: 'turn' | 'run' | Duration, owner: string): 'turn' | 'run' | number {
  return cache === 'turn' || cache === 'run' ? cache : milliseconds(cache, `${owner}: cache`)
}

function isReserved(name: string): boolean {
  return (RESERVED_ACTIVITY_TYPES as readonly string[]).includes(name)
}
