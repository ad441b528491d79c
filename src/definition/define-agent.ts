import type { Duration } from '@temporalio/common'
import type { z } from 'zod'
import type {
  Limits,
  Manifest,
  ModelSettings,
  Strategy,
  ToolManifest,
} from '../contract/manifest.js'
import { agentShape } from './agent-shape.js'
import { checkOptions } from './check-options.js'
import type { ContextOf, Tool } from './define-tool.js'
import { DefinitionError } from './definition-error.js'
import { milliseconds } from './duration.js'
import { type MemoryOptions, memoryPolicy } from './memory.js'

/** Options of {@link defineAgent}. */
export interface AgentOptions<C extends z.ZodType = never> {
  /** What callers start it by: 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string
  /**
   * The system message, or what makes it of the run's context, as the `context` schema put it out; then it
   * is made once, at the start of each turn, and recorded.
   *
   * **Contract:** a function returns at once: no I/O, which a tool does better.
   */
  readonly instructions: string | ((context: ContextOf<C>) => string)
  /**
   * Ways to answer, for moods and stages of a conversation. The model chooses one, or none, before the
   * first step of a turn; that call is no step, and the turn goes on without when it fails. @default none
   */
  readonly strategies?: readonly Strategy[]
  /**
   * The model's name: of one of the worker's `models`, else at the provider of OPENAI_BASE_URL, where
   * `OPENAI_MODEL` replaces it. A list: when the first is exhausted or refuses for good, the next one
   * answers the same step, and the rest of the turn.
   */
  readonly model: string | readonly string[]
  /** Sampling settings; only those that are set are sent. @default none */
  readonly modelSettings?: ModelSettings
  /** Time that one attempt at a model call may take. @default '5 minutes' */
  readonly modelTimeout?: Duration
  /** Temporal's retry policy for model calls. */
  readonly modelRetry?: {
    /** Attempts at most, the first included. @default 6 */
    readonly maximumAttempts?: number
    /** Time that all attempts may take together; time without any worker does not count. @default '10 minutes' */
    readonly totalTime?: Duration
  }
  /** Schema of the context that each run must be started with. @default not checked */
  readonly context?: C
  /** Tools that the model may call. @default none */
  readonly tools?: readonly Tool[]
  /** Limits of one turn. */
  readonly limits?: LimitOptions
  /** False: what is cut from an observation is lost. True: a built-in tool, `read_more`, shows it. @default true */
  readonly readMore?: boolean
  /** True: a built-in tool, `ask_user`, lets the model ask the user a question and waits for the answer. @default false */
  readonly askUser?: boolean
  /** Calls that a person must approve before they run. */
  readonly approvals?: ApprovalOptions
  /** How the conversation is kept short. `none`: all of it goes with every call. @default a summary of what is old */
  readonly memory?: 'none' | MemoryOptions
  /** At a limit: one last answer without tools, or the run fails with the partial work. @default 'answer' */
  readonly onLimit?: 'answer' | 'fail'
  /** A tool that is down for longer than its retries: the model is told, or the run fails. @default 'observe' */
  readonly onToolFailure?: 'observe' | 'fail'
  /** False: one tool call a step, and the model is told so. @default true */
  readonly parallel?: boolean
  /**
   * True: a reply that is nothing but the JSON of a call to a known tool, with arguments that fit, is
   * taken for that call. Some small models write them so. @default false: the text is the answer
   */
  readonly parseTextToolCalls?: boolean
}

/** Calls that a person must approve. */
export interface ApprovalOptions {
  /**
   * Which tools need it that do not say so themselves: those with `destructiveHint: true`, all that are not
   * read-only, or none. @default 'destructive'
   */
  readonly default?: 'destructive' | 'writes' | 'never'
  /** Time that a call waits for a person; then it is denied, and the run goes on. @default '24 hours' */
  readonly deadline?: Duration
}

/** Limits of one turn; each is checked before the call that would exceed it, by an estimate. */
export interface LimitOptions {
  /** Model calls with tools at most; one more without tools may follow for the forced answer. @default 8 */
  readonly maxSteps?: number
  /** Tokens of all model calls together, as the provider counts them. @default no limit */
  readonly maxTokens?: number
  /** US dollars of all model calls together; needs the worker's `prices`. @default no limit */
  readonly maxCostUsd?: number
  /** Wall-clock time; a call under way is not cut off. @default no limit */
  readonly deadline?: Duration
}

/** An agent, ready for `runWorker`. `C` is what its runs are started with. */
export interface Agent<C = object> {
  readonly name: string
  /** The first of its models. */
  readonly model: string
  readonly limits: Limits
  readonly context: z.ZodType | undefined
  /** Only a type: it lets `start` check the context that it is given. */
  readonly contextType?: C
  readonly tools: readonly Tool[]
  /** The system message for a context that the agent's schema has put out. */
  readonly instructionsFor: (context: unknown) => string
  /** The definition as data; the worker adds what only it knows, and the instructions of each turn. */
  readonly manifest: Omit<Manifest, 'heartbeatTimeoutMs' | 'instructions' | 'searchAttributes'>
}

/** maxSteps when an agent does not say. Most tasks take 3 to 5 model calls; a loop shows well before 8. */
const DEFAULT_MAX_STEPS = 8

/**
 * Defines an agent: instructions, model, tools and limits. Pure data, apart from what its tools execute.
 *
 * @throws DefinitionError naming the field that is wrong
 */
export function defineAgent<C extends z.ZodType = never>(
  options: AgentOptions<C>,
): Agent<[C] extends [never] ? object : z.input<C>> {
  const owner = `agent ${JSON.stringify(options?.name)}`
  checkOptions(agentShape, options, owner)
  const { instructions, tools = [], strategies = [] } = options
  rejectTwins(tools, 'tool', owner)
  rejectTwins(strategies, 'strategy', owner)
  const [model = '', ...fallbackModels] = [options.model].flat().map((name) => name.trim())
  const memory = memoryPolicy(options.memory)
  const limits = limitsOf(options.limits, owner)
  const agent = {
    name: options.name,
    model,
    limits,
    context: options.context,
    tools,
    instructionsFor:
      typeof instructions === 'string'
        ? () => instructions.toWellFormed()
        : // The cast meets what prepareTurn guarantees: it parses the context first.
          (context: unknown) => checkedText(instructions(context as ContextOf<C>), owner),
    manifest: {
      agent: options.name,
      model,
      ...(fallbackModels.length === 0 ? {} : { fallbackModels }),
      modelSettings: options.modelSettings ?? {},
      tools: tools.map((tool) => withApproval(tool, options.approvals)),
      limits,
      onLimit: options.onLimit ?? 'answer',
      onToolFailure: options.onToolFailure ?? 'observe',
      ...(strategies.length === 0 ? {} : { strategies }),
      ...(memory === undefined ? {} : { memory }),
      ...(options.readMore === false || tools.length === 0 ? {} : { readMore: true }),
      ...personOptions(options as Pick<AgentOptions, 'approvals' | 'askUser'>, owner),
      parallel: options.parallel ?? true,
      modelTimeoutMs: milliseconds(options.modelTimeout ?? '5 minutes', `${owner}: modelTimeout`),
      modelMaximumAttempts: options.modelRetry?.maximumAttempts ?? 6,
      modelTotalMs: milliseconds(
        options.modelRetry?.totalTime ?? '10 minutes',
        `${owner}: modelRetry.totalTime`,
      ),
      ...(options.parseTextToolCalls ? { parseTextToolCalls: true } : {}),
    },
  } satisfies Agent
  rejectLarge(agent, typeof instructions === 'string' ? instructions : '', owner)
  return agent
}

function withApproval(
  { approval, manifest }: Tool,
  { default: rest = 'destructive' }: ApprovalOptions = {},
): ToolManifest {
  if (approval === 'never') return manifest
  if (approval !== undefined) {
    return { ...manifest, approval: approval === 'always' ? 'always' : 'rule' }
  }
  const { readOnlyHint, destructiveHint } = manifest.annotations
  const isAsked = rest === 'writes' ? !readOnlyHint : rest === 'destructive' && destructiveHint
  return isAsked ? { ...manifest, approval: 'always' } : manifest
}

/** What of a definition is about the people in the loop. */
function personOptions(
  { askUser, approvals: { deadline } = {} }: Pick<AgentOptions, 'approvals' | 'askUser'>,
  owner: string,
): Pick<Manifest, 'approvalDeadlineMs' | 'askUser'> {
  return {
    ...(askUser ? { askUser } : {}),
    ...(deadline === undefined
      ? {}
      : { approvalDeadlineMs: milliseconds(deadline, `${owner}: approvals.deadline`) }),
  }
}

function limitsOf(options: LimitOptions = {}, owner: string): Limits {
  const { maxSteps = DEFAULT_MAX_STEPS, deadline, ...budgets } = options
  return {
    maxSteps,
    ...budgets,
    ...(deadline === undefined
      ? {}
      : { deadlineMs: milliseconds(deadline, `${owner}: limits.deadline`) }),
  }
}

/** The manifest is recorded with each turn, and Temporal refuses a payload of 2 MB. */
const MAX_MANIFEST_CHARS = 500_000

function rejectLarge({ manifest }: Agent, instructions: string, owner: string): void {
  const { length } = JSON.stringify([manifest, instructions])
  if (length <= MAX_MANIFEST_CHARS) return
  throw new DefinitionError(
    `${owner}: instructions and tools are ${length} characters of JSON, ${MAX_MANIFEST_CHARS} at most: let a tool read long texts.`,
  )
}

function rejectTwins(
  entries: readonly { readonly name: string }[],
  kind: 'tool' | 'strategy',
  owner: string,
): void {
  const field = kind === 'tool' ? 'tools' : 'strategies'
  const seen = new Set<string>()
  for (const [index, { name }] of entries.entries()) {
    if (seen.has(name)) {
      throw new DefinitionError(`${owner}: ${field}.${index}: a second ${kind} named "${name}"`)
    }
    seen.add(name)
  }
}

/** What a function made of the context, before it is recorded. */
function checkedText(text: unknown, owner: string): string {
  if (typeof text !== 'string' || text.trim() === '') {
    throw new DefinitionError(`${owner}: instructions: the function must return a text`)
  }
  if (text.length > MAX_MANIFEST_CHARS) {
    throw new DefinitionError(
      `${owner}: instructions: ${text.length} characters, ${MAX_MANIFEST_CHARS} at most: let a tool read long texts.`,
    )
  }
  return text.toWellFormed()
}
