import { z } from 'zod'
import type { ToolManifest } from '../contract/manifest.js'
import { anyFunction, anySchema, checkOptions } from './check-options.js'
import { toJsonSchema } from './json-schema.js'
import { misreadsNull } from './strict/misreads-null.js'
import { toStrictSchema } from './strict/strict-schema.js'
import {
  type CommonToolOptions,
  commonShape,
  readOnlyAlone,
  toolManifest,
} from './tool-manifest.js'

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
export interface ToolOptions<I extends z.ZodType, C extends z.ZodType> extends CommonToolOptions {
  /** The arguments, an object schema. Each field's `.describe()` reaches the model. */
  readonly input: I
  /** The part of the run's context that the tool needs. @default not checked */
  readonly context?: C
  /**
   * True: runs as a local activity, which halves what a step costs. For read-only tools that take less than
   * a second: nothing of it is recorded before its workflow task ends, and it cannot heartbeat. @default false
   */
  readonly local?: boolean
  /**
   * Whether a person must approve a call before it runs: `always`, `never`, or a rule of the checked
   * arguments and the run's context that says true, or why.
   *
   * **Contract:** a rule returns at once: no I/O. One that throws means that approval is needed.
   *
   * @default as the agent's `approvals.default` says
   */
  readonly approval?:
    | 'always'
    | 'never'
    | ((input: z.output<I>, about: { readonly context: ContextOf<C> }) => boolean | string)
  /** Told after an empty result, such as "Try search_orders by name." @default none */
  readonly emptyHint?: string
  /**
   * **Contract:** returns any value that JSON can hold; throws `ToolError` for what the model should
   * read, anything else for what it should not; stops when `signal` aborts.
   */
  execute(input: z.output<I>, context: ToolContext<ContextOf<C>>): unknown
}

/** Whether a person must approve a call of a tool. */
type Approval =
  | 'always'
  | 'never'
  | ((input: unknown, about: { readonly context: unknown }) => boolean | string)

/** A tool, ready for `defineAgent`. */
export interface Tool {
  readonly name: string
  readonly input: z.ZodType
  readonly context: z.ZodType | undefined
  /** Told after an empty result. */
  readonly emptyHint: string | undefined
  /** Whether a person must approve a call; undefined: the agent decides. */
  readonly approval: Approval | undefined
  /** The tool as the workflow and the model see it. */
  readonly manifest: ToolManifest
  execute(input: unknown, context: ToolContext<unknown>): unknown
}

const optionsShape = z.strictObject({
  ...commonShape,
  input: anySchema,
  context: anySchema.optional(),
  local: z.boolean().optional(),
  emptyHint: z.string().min(1).max(500).optional(),
  approval: z.union([z.enum(['always', 'never']), anyFunction]).optional(),
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
  if (options.local && !options.annotations?.readOnlyHint) throw readOnlyAlone(owner, 'local')
  const plain = toJsonSchema(options.input, owner)
  const isLoose = options.strict === false || misreadsNull(options.input)
  const strict = isLoose ? null : toStrictSchema(plain)
  return {
    name: options.name,
    input: options.input,
    context: options.context,
    emptyHint: options.emptyHint,
    // The cast meets what callModel guarantees: it parses by `input` and `context` first.
    approval: options.approval as Approval | undefined,
    manifest: {
      ...toolManifest(options, { plain, strict }, owner),
      ...(options.local ? { local: true } : {}),
    },
    // The two casts meet what runTool guarantees: it parses by `input` and `context` first.
    execute: (input, context) =>
      options.execute(input as z.output<I>, context as ToolContext<ContextOf<C>>),
  }
}
