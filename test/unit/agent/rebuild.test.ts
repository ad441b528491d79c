import { expect, test } from 'vitest'
import { type LoopEffects, runTurn } from '../../../src/agent/loop.js'
import { rebuildCall, rebuildState } from '../../../src/agent/rebuild.js'
import { RebuildError } from '../../../src/agent/rebuild-error.js'
import {
  type Ending,
  type ExecutionRecord,
  placeKey,
  type RecordedModelCall,
  type RunRecord,
} from '../../../src/agent/run-record.js'
import type { RunState } from '../../../src/contract/run.js'
import { type ManifestChanges, stateOf, toolOf } from './manifests.js'
import { asks, busy, call, type Script, says, scriptedEffects } from './scripted-effects.js'

interface Recorded {
  readonly record: RunRecord
  /** The state at each report. */
  readonly reports: readonly RunState[]
}

/** Runs the loop in a world whose clock moves with each activity, and records it. */
async function play(changes: ManifestChanges, script: Script): Promise<Recorded> {
  const state = stateOf(changes)
  const start = structuredClone(state)
  let clock = 5_000
  const ended = async <T>(value: Promise<T>): Promise<Extract<Ending<T>, { kind: 'result' }>> => {
    const known = await value
    clock += 1_000
    return { kind: 'result', value: known, at: clock }
  }
  const modelCalls = new Map<string, RecordedModelCall[]>()
  const execution = {
    start: { state: start },
    startedAt: clock,
    modelCalls,
    toolCalls: new Map(),
    unplaced: new Map(),
    choices: new Map(),
    summaries: new Map(),
  } satisfies ExecutionRecord
  const world = scriptedEffects(script)
  const effects: LoopEffects = {
    ...world,
    now: () => clock,
    callModel: async (input) => {
      const ending = await ended(world.callModel(input))
      modelCalls.set(placeKey(input), [{ input, ending }])
      return ending.value
    },
    runTool: async (tool, input) => {
      const ending = await ended(world.runTool(tool, input))
      execution.toolCalls.set(placeKey(input), ending)
      return ending.value
    },
    summarize: async (input) => {
      const ending = await ended(world.summarize(input))
      const before = execution.summaries.get(placeKey(input)) ?? []
      execution.summaries.set(placeKey(input), [...before, ending])
      return ending.value
    },
    chooseStrategy: async (input) => {
      const ending = await ended(world.chooseStrategy(input))
      execution.choices.set(input.turn, ending)
      return ending.value
    },
  }
  await runTurn(state, effects)
  return { record: { executions: [execution] }, reports: world.reports }
}

const at = (step: number) => ({ turn: 1, step })

test('the state before a step is the one that the run had, to the last field', async () => {
  const { record, reports } = await play(
    {
      maxSteps: 4,
      limits: { maxSteps: 4, deadlineMs: 60_000 },
      readMore: true,
      strategies: [{ name: 'calm', when: 'They are angry.', instructions: 'Stay calm.' }],
      tools: [toolOf('search', { cache: 'run' }), toolOf('read', { maxCalls: 1 })],
    } as ManifestChanges,
    {
      chooseStrategy: () => ({ strategy: 'calm', tokens: null }),
      replies: ({ step }) => asks(call('search', { q: step % 3 }), call('read', {}), call('none')),
      runTool: (tool, { step }) => ({
        text: `${tool.name} ${step}`,
        rest: 'more',
        cut: 4,
        ...(step === 2 ? { error: true } : {}),
      }),
    },
  )
  expect(reports).toHaveLength(5)
  for (const [i, state] of reports.slice(0, 4).entries()) {
    expect(await rebuildState(record, at(i + 2))).toEqual(state)
  }
})

test('a run goes on from a rebuilt state as it did', async () => {
  const { record, reports } = await play({ maxSteps: 6 }, { replies: busy })
  const state = await rebuildState(record, at(4))
  const world = scriptedEffects({ replies: busy })
  await runTurn(state, world)
  expect(state.messages).toEqual(reports.at(-1)?.messages)
  expect(world.modelCalls.map(({ step }) => step)).toEqual([4, 5, 6, 7])
})

test('what memory left out before a step is left out of the state, without a summary asked for', async () => {
  const memory = { summary: { keepMessages: 2, aboveTokens: 30, maxWords: 20 } }
  const { record } = await play({ memory, maxSteps: 6 }, { replies: busy })
  expect([...(record.executions[0]?.summaries.keys() ?? [])].length).toBeGreaterThan(0)
  for (const step of [1, 2, 3, 4, 5, 6]) {
    const { input, state } = await rebuildCall(record, at(step))
    const before = await rebuildState(record, at(step))
    expect(before.messages).toEqual(state.messages)
    expect(record.executions[0]?.modelCalls.get(`1.${step}`)?.[0]?.input).toEqual(input)
  }
})

test('before a forced answer, the state has no note yet; the call has it', async () => {
  const { record, reports } = await play({ maxSteps: 2 }, { replies: busy })
  expect(await rebuildState(record, at(3))).toEqual(reports[1])
  const { input, state } = await rebuildCall(record, at(3))
  expect(input.forced).toBe(true)
  expect(state.messages.at(-1)).toMatchObject({ role: 'user', kind: 'note' })
})

test('before a request that repeats one that was too long comes that one', async () => {
  const tooLong = { ...says('', 'context_length'), tokens: null }
  const memory = { maxTokens: 10_000 }
  const { record } = await play(
    { memory },
    { replies: [busy({ step: 1 } as never), busy({ step: 2 } as never), tooLong, says('done')] },
  )
  const first = await rebuildState(record, at(3))
  expect(await rebuildState(record, at(4))).toEqual(first)
  const { input, state } = await rebuildCall(record, at(4))
  expect(input.step).toBe(4)
  expect(state.messages.length).toBeLessThan(first.messages.length)
})

test('a run that a limit ended goes on behind its last step', async () => {
  const { record, reports } = await play({ maxSteps: 2, onLimit: 'fail' }, { replies: busy })
  expect(await rebuildState(record, at(3))).toEqual(reports[1])
  await expect(rebuildState(record, at(4))).rejects.toThrow('is 2')
})

test('there is no step behind an answer', async () => {
  const { record } = await play({}, { replies: [says('done')] })
  await expect(rebuildState(record, at(2))).rejects.toThrow(RebuildError)
  await expect(rebuildState(record, { turn: 2, step: 1 })).rejects.toThrow('never asked')
})
