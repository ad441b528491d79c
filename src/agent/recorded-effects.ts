import type { ToolCallInput, ToolOutcome } from '../contract/activities.js'
import type { ToolManifest } from '../contract/manifest.js'
import { READ_MORE_TOOL } from '../contract/read-more.js'
import { remoteObservation } from '../contract/remote-result.js'
import type { RunState } from '../contract/run.js'
import type { LoopEffects } from './loop.js'
import { fallBack } from './models.js'
import { RebuildError } from './rebuild-error.js'
import { decide } from './requests.js'
import {
  type Ending,
  type ExecutionRecord,
  placeKey,
  type StepPlace,
  unplacedKey,
} from './run-record.js'
import { toolErrorText } from './tool-failure.js'

/** Effects that answer what the record holds, the clock included, as the workflow's own do with the world. */
export function recordedEffects(
  record: ExecutionRecord,
  state: RunState,
): Omit<LoopEffects, 'report' | 'shouldContinue'> {
  let clock = record.startedAt
  const unplaced = new Map([...record.unplaced].map(([key, endings]) => [key, [...endings]]))
  const summaries = new Map([...record.summaries].map(([key, endings]) => [key, [...endings]]))
  const heard = <T>(ending: Ending<T>): Ending<T> => {
    clock = Math.max(clock, ending.at)
    return ending
  }
  const valueOrNull = <T>(ending: Ending<T> | undefined, at: StepPlace): T | null => {
    if (ending === undefined) throw missing('a summary or a strategy', at)
    heard(ending)
    return ending.kind === 'result' ? ending.value : null
  }
  const answerTool = (tool: ToolManifest, input: Place): ToolOutcome => {
    const ending =
      record.toolCalls.get(placeKey(input)) ??
      unplaced.get(unplacedKey(input, tool.activityType))?.shift()
    if (ending === undefined) throw missing(`a result of ${tool.name}`, input)
    heard(ending)
    if (ending.kind === 'result') {
      return tool.remote === undefined
        ? (ending.value as ToolOutcome)
        : { text: remoteObservation(ending.value) }
    }
    if (state.manifest.onToolFailure === 'fail') throw missing(`a result of ${tool.name}`, input)
    return { text: toolErrorText(ending.failure, tool), error: true }
  }
  return {
    now: () => clock,
    chooseStrategy: async (input) => valueOrNull(record.choices.get(input.turn), input),
    summarize: async (input) => valueOrNull(summaries.get(placeKey(input))?.shift(), input),
    callModel: async (input) => {
      const calls = record.modelCalls.get(placeKey(input)) ?? []
      if (calls[0] !== undefined && calls[0].input.digest !== input.digest) {
        throw otherConversation(input)
      }
      for (const { ending } of calls) {
        if (ending === null) break
        heard(ending)
        if (ending.kind === 'result') return ending.value
        if (!fallBack(state)) break
      }
      throw missing('a reply', input)
    },
    runTool: async (tool, input) => answerTool(tool, input),
    readArtifact: async (input) => answerTool(READ_MORE_TOOL, input),
    untilDecided: async (request) => {
      const next = { turn: request.turn, step: request.step + 1 }
      const decision = record.modelCalls.get(placeKey(next))?.[0]?.input.decided?.[request.call]
      if (decision === undefined) throw missing('a decision of a person', request)
      clock = Math.max(clock, decision.at)
      decide(state, request, decision)
      return decision
    },
  }
}

type Place = Pick<ToolCallInput, 'turn' | 'step' | 'call'>

function missing(what: string, { step }: StepPlace): RebuildError {
  return new RebuildError(`The run did not get ${what} in step ${step}.`)
}

/** Today's loop is not the one that was recorded. */
export function otherConversation({ step }: StepPlace): RebuildError {
  return new RebuildError(
    `Before step ${step}, today's code makes another conversation of this run than the one that was recorded. Use the version of perdure that the run was made with.`,
  )
}
