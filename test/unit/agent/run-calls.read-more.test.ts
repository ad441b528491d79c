import { describe, expect, test } from 'vitest'
import { runTurn } from '../../../src/agent/loop.js'
import {
  NOTHING_KEPT,
  type ReadMoreInput,
  type ToolOutcome,
} from '../../../src/contract/activities.js'
import type { JsonObject } from '../../../src/contract/json.js'
import { NO_REST } from '../../../src/contract/read-more.js'
import { stateOf } from './manifests.js'
import { asks, call, says, scriptedEffects } from './scripted-effects.js'

const FIRST = '001000101'

/** A turn whose first call is cut, and whose second step reads more. */
async function run(cut: ToolOutcome, args: JsonObject, readMore = true) {
  const state = stateOf({ readMore })
  const asked: ReadMoreInput[] = []
  const effects = scriptedEffects({
    replies: [asks(call('search')), asks(call('read_more', args)), says('Done.')],
    runTool: () => cut,
    readArtifact: (input) => {
      asked.push(input)
      return { text: 'page of the store' }
    },
  })
  await runTurn(state, effects)
  return { state, effects, asked, seen: state.messages.at(-2)?.text }
}

const CUT: ToolOutcome = {
  text: 'head … tail',
  cut: 4_000,
  rest: 'x'.repeat(1_900) + 'y'.repeat(2_100),
}

describe('read_more', () => {
  test('is offered from the first cut observation on, and never for the forced answer', async () => {
    const { effects } = await run(CUT, { id: FIRST, page: 1 })
    expect(effects.modelCalls.map(({ readMore }) => readMore)).toEqual([undefined, true, true])
    const limited = stateOf({ readMore: true, maxSteps: 1 })
    const last = scriptedEffects({
      replies: [asks(call('search')), says('So far.')],
      runTool: () => CUT,
    })
    await runTurn(limited, last)
    expect(last.modelCalls[1]).toMatchObject({ forced: true })
    expect(last.modelCalls[1]).not.toHaveProperty('readMore')
  })

  test('asks tools to keep what is cut only where the agent wants it', async () => {
    const wanted = await run(CUT, { id: FIRST, page: 1 })
    expect(wanted.effects.toolCalls[0]?.input.keepRest).toBe(true)
    const { effects } = await run({ text: 'short' }, { id: FIRST, page: 1 }, false)
    expect(effects.toolCalls[0]?.input).not.toHaveProperty('keepRest')
  })

  test('shows a page from the state, without an activity', async () => {
    const { asked, seen, effects } = await run(CUT, { id: FIRST, page: 2 })
    expect(seen).toBe(`[page 2 of 3 of what was left out]\n${'y'.repeat(1_900)}`)
    expect(asked).toEqual([])
    expect(effects.modelCalls.at(-1)).not.toHaveProperty('reused')
  })

  test('asks the store for what lies there', async () => {
    const cut = { text: 'cut', cut: 99_999, artifact: 'key' }
    const { asked, seen } = await run(cut, { id: FIRST, page: null })
    expect(asked).toEqual([{ turn: 1, step: 2, call: 1, key: 'key', chars: 99_999, page: 1 }])
    expect(seen).toBe('page of the store')
  })

  test.each(['gone', 'constructor', '__proto__', ''])(
    'of the id %j is an error, and the steps are told',
    async (id) => {
      const { asked, seen, effects } = await run(CUT, { id, page: 1 })
      expect(seen).toBe(NO_REST)
      expect(asked).toEqual([])
      expect(effects.modelCalls.at(-1)?.reused).toEqual({ 1: NOTHING_KEPT })
    },
  )

  test('of a page that is none is an error, which counts as one', async () => {
    const { state, seen } = await run(CUT, { id: FIRST, page: 4 })
    expect(JSON.parse(seen ?? '')).toMatchObject({ message: 'There are pages 1 to 3.' })
    expect(state.errorStreak).toBe(1)
  })
})
