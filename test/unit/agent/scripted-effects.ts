import type { LoopEffects } from '../../../src/agent/loop.js'
import type {
  CallModelInput,
  ChooseStrategyInput,
  ReadMoreInput,
  StrategyChoice,
  SummarizeInput,
  Summary,
  ToolCallInput,
  ToolOutcome,
} from '../../../src/contract/activities.js'
import type { JsonObject } from '../../../src/contract/json.js'
import type { ToolManifest } from '../../../src/contract/manifest.js'
import type { ToolCall } from '../../../src/contract/messages.js'
import type { Finish, ModelReply, TokenCount } from '../../../src/contract/reply.js'
import type { Decision, PendingRequest } from '../../../src/contract/requests.js'
import type { RunState } from '../../../src/contract/run.js'

/** What the world does in a test. */
export interface Script {
  /** The replies in order, or what makes each; one more call than there are replies fails the test. */
  readonly replies: readonly ModelReply[] | ((input: CallModelInput) => ModelReply)
  /** What a tool does. @default each call brings a result of its own */
  readonly runTool?: (
    tool: ToolManifest,
    input: ToolCallInput,
  ) => ToolOutcome | Promise<ToolOutcome>
  /** The strategy that is chosen; null: the choice fails. @default none is chosen */
  readonly chooseStrategy?: () => StrategyChoice | null
  /** The summary that is made; null: it fails. @default a short one */
  readonly summarize?: (input: SummarizeInput) => Summary | null
  /** The page of an artifact. @default an error */
  readonly readArtifact?: (input: ReadMoreInput) => ToolOutcome
  /** @default never */
  readonly shouldContinue?: () => boolean
  /** What a person says of a call. @default one who must not be asked */
  readonly untilDecided?: (request: PendingRequest) => Decision | null
}

/** The script as effects, with a record of what the loop asked for. */
export interface ScriptedEffects extends LoopEffects {
  readonly modelCalls: CallModelInput[]
  readonly choices: ChooseStrategyInput[]
  readonly summaries: SummarizeInput[]
  readonly toolCalls: { readonly tool: ToolManifest; readonly input: ToolCallInput }[]
  /** A copy of the state at each report. */
  readonly reports: RunState[]
}

/** Effects that follow a script. The clock moves by 1,000 ms with every look at it. */
export function scriptedEffects({
  replies,
  runTool = freshResult,
  chooseStrategy = () => ({ strategy: null, tokens: TOKENS }),
  summarize = () => ({ text: 'What was said.', tokens: TOKENS }),
  readArtifact = () => ({ text: 'gone', error: true }),
  shouldContinue = () => false,
  untilDecided = nobody,
}: Script): ScriptedEffects {
  const left = typeof replies === 'function' ? [] : [...replies]
  const next = typeof replies === 'function' ? replies : () => left.shift()
  const modelCalls: CallModelInput[] = []
  const summaries: SummarizeInput[] = []
  const choices: ChooseStrategyInput[] = []
  const toolCalls: ScriptedEffects['toolCalls'] = []
  const reports: RunState[] = []
  let time = 0
  return {
    modelCalls,
    choices,
    summaries,
    toolCalls,
    reports,
    callModel: async (input) => {
      modelCalls.push(input)
      const reply = next(input)
      if (reply === undefined) throw new Error(`The script has no reply ${modelCalls.length}.`)
      return reply
    },
    chooseStrategy: async (input) => {
      choices.push(input)
      return chooseStrategy()
    },
    summarize: async (input) => {
      summaries.push(input)
      return summarize(input)
    },
    readArtifact: async (input) => readArtifact(input),
    runTool: async (tool, input) => {
      toolCalls.push({ tool, input })
      return runTool(tool, input)
    },
    now: () => {
      time += 1000
      return time
    },
    shouldContinue,
    untilDecided: async (request) => untilDecided(request),
    report: (state) => reports.push(structuredClone(state)),
  }
}

function freshResult(tool: ToolManifest, { step, call }: ToolCallInput): ToolOutcome {
  return { text: `${tool.name} ${step}.${call}` }
}

/** For scripts in which no call waits for a person. */
function nobody({ tool }: PendingRequest): never {
  throw new Error(`${tool} waits for a person.`)
}

const TOKENS: TokenCount = { promptTokens: 10, completionTokens: 2 }

/** A reply that is nothing but text. */
export function says(text: string, finish: Finish = 'stop'): ModelReply {
  return { text, calls: [], finish, tokens: TOKENS }
}

/** A reply that asks for calls. */
export function asks(...calls: readonly ToolCall[]): ModelReply {
  return { text: '', calls, finish: 'stop', tokens: TOKENS }
}

/** A call that may run. */
export function call(name: string, args: JsonObject = {}): ToolCall {
  return { name, args }
}

/** A model that makes a new call every time, and keeps calling when its answer is forced. */
export function busy({ step }: CallModelInput): ModelReply {
  return asks(call('search', { q: step }))
}
