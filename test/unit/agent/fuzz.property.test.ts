import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { outcomeOf } from '../../../src/activities/failures.js'
import { fullObservation } from '../../../src/activities/observation.js'
import { readReply } from '../../../src/activities/read-reply.js'
import { utf8Length } from '../../../src/agent/conversation.js'
import { digestOf } from '../../../src/agent/digest.js'
import { type LoopEffects, runTurn, type TurnEnd } from '../../../src/agent/loop.js'
import { buildPrompt, offeredTools } from '../../../src/agent/prompt.js'
import { startState } from '../../../src/agent/state.js'
import type { CallModelInput, ToolCallInput } from '../../../src/contract/activities.js'
import type { Manifest } from '../../../src/contract/manifest.js'
import { callId } from '../../../src/contract/messages.js'
import { cutKeeping } from '../../../src/contract/observation-text.js'
import type { ModelReply } from '../../../src/contract/reply.js'
import type { RunState } from '../../../src/contract/run.js'
import { defineAgent } from '../../../src/definition/define-agent.js'
import { defineTool } from '../../../src/definition/define-tool.js'
import { ModelError } from '../../../src/models/model-error.js'
import { readCompletion } from '../../../src/models/read-completion.js'
import { requestBody } from '../../../src/models/request-body.js'
import { checkRequest } from '../../../src/testing/index.js'
import { completion, text } from './completions.js'

/** Scripts in one run; PERDURE_FUZZ=100000 for a night. */
const SCRIPTS = Number(process.env['PERDURE_FUZZ'] ?? 2_000)
/** The same scripts every time; a larger run finds others. */
const SEED = 20_261_130

const query = z.object({
  q: z.string(),
  limit: z.number().optional(),
  tags: z.array(z.string()).optional(),
})
const search = { description: 'Use when something has to be found.', input: query }
const readOnly = { annotations: { readOnlyHint: true }, execute: () => '' }
const tools = [
  defineTool({ ...search, ...readOnly, name: 'search', cache: 'turn', volatileFields: ['limit'] }),
  defineTool({ ...search, ...readOnly, name: 'list', cache: '2s', maxCalls: 2, local: true }),
  defineTool({
    name: 'write',
    description: 'Use when something has to be written.',
    input: z.object({}),
    parallel: false,
    invalidates: ['search'],
    execute: () => '',
  }),
]

const summaryOptions = fc.record(
  {
    keepMessages: fc.integer({ min: 1, max: 4 }),
    aboveTokens: fc.integer({ min: 1, max: 300 }),
    model: fc.constant('cheap'),
  },
  { requiredKeys: [] },
)
const memory = fc.oneof(
  fc.constant('none' as const),
  fc.record(
    {
      summary: fc.oneof(fc.constant(false as const), summaryOptions),
      maxTokens: fc.integer({ min: 100, max: 1_000 }),
    },
    { requiredKeys: [] },
  ),
)
const limits = fc.record(
  {
    maxSteps: fc.integer({ min: 1, max: 10 }),
    maxTokens: fc.integer({ min: 1, max: 20_000 }),
    deadline: fc.integer({ min: 1, max: 20_000 }),
  },
  { requiredKeys: ['maxSteps'] },
)
const result = fc.oneof(
  fc.anything(),
  text,
  fc.nat(9_000).map((chars) => 'long 😀'.repeat(chars)),
)
const script = fc.record({
  replies: fc.array(completion, { minLength: 1, maxLength: 20 }),
  results: fc.array(result, { minLength: 1, maxLength: 5 }),
  summaries: fc.array(fc.option(text), { minLength: 1, maxLength: 3 }),
  limits,
  memory,
  readMore: fc.boolean(),
  parallel: fc.boolean(),
  parseTextToolCalls: fc.boolean(),
  continues: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
})

type Script = typeof script extends fc.Arbitrary<infer T> ? T : never

/** A reply, or what the failure table says of what came instead. */
async function readRaw(
  raw: unknown,
  manifest: Manifest,
): Promise<ModelReply | 'final' | 'retried'> {
  try {
    return await readReply(readCompletion(raw), manifest, { tools, context: null })
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const finish = outcomeOf(error)
    if (finish === 'final' || finish === 'retried') return finish
    return { text: '', calls: [], finish, tokens: null }
  }
}

/** What a tool activity makes of a result; the store keeps what is too long. */
function observe(result: unknown, { turn, step, call, keepRest }: ToolCallInput) {
  const full = fullObservation(result)
  const { shown, rest } = cutKeeping(full, callId(turn, step, call))
  if (!keepRest || rest === '') return { text: shown }
  const kept = utf8Length(JSON.stringify(rest)) > 64_000 ? { artifact: 'key' } : { rest }
  return { text: shown, cut: rest.length, ...kept }
}

/** Plays a script through everything but Temporal and HTTP: reading, the loop, the next request. */
async function play({ replies, results, summaries, continues, ...options }: Script) {
  const agent = defineAgent({
    name: 'fuzz',
    instructions: 'Be robust. \ud83d',
    model: 'm',
    tools,
    ...options,
    memory: options.memory as 'none',
  })
  const manifest = {
    ...agent.manifest,
    instructions: agent.instructionsFor(null),
    heartbeatTimeoutMs: 1_000,
    searchAttributes: [],
  }
  let state = startState({ manifest, context: null, origin: 'o', turn: 1, input: 'Go. \ud83d' })
  const goal = state.messages[0]
  const count = { requests: 0, answers: 0, tooLong: 0, summaries: 0, ran: 0, boundaries: 0 }
  const dialect = { stream: true, schema: 'full', refused: new Set<string>() } as const
  const callModel = async (input: CallModelInput): Promise<ModelReply> => {
    expect(state.messages).toContainEqual(goal)
    expect(input.digest).toBe(digestOf(state.manifest, state.messages))
    for (let attempt = 1; attempt <= 6; attempt++) {
      const body = requestBody(buildPrompt(manifest, state.messages, input), dialect)
      expect(checkRequest(JSON.parse(JSON.stringify(body)))).toEqual([])
      const offered = { ...manifest, tools: offeredTools(manifest, input.readMore) }
      const reply = await readRaw(replies[count.requests++ % replies.length], offered)
      if (reply === 'final') break
      if (reply === 'retried') continue
      count.answers++
      if (reply.finish === 'context_length') count.tooLong++
      return reply
    }
    throw new ModelError('model_error', { status: null })
  }
  let time = 0
  const effects: LoopEffects = {
    callModel,
    chooseStrategy: async () => null,
    summarize: async ({ to }) => {
      expect(to).toBeGreaterThan(0)
      const told = summaries[count.summaries++ % summaries.length]
      return { text: (told ?? '').toWellFormed(), tokens: null }
    },
    readArtifact: async () => ({ text: 'gone' }),
    runTool: async (_tool, input) => observe(results[count.ran++ % results.length], input),
    now: () => {
      time += 100
      return time
    },
    untilDecided: async () => null,
    shouldContinue: () => continues[count.boundaries++ % continues.length] === true,
    report: () => {},
  }
  let end: TurnEnd = { kind: 'continue' }
  for (let rounds = 0; end.kind === 'continue' && rounds < 200; rounds++) {
    // What continue-as-new carries is JSON.
    state = JSON.parse(JSON.stringify(state)) as RunState
    end = await runTurn(state, effects)
  }
  return { end, state, count }
}

test(`whatever a server sends and a tool returns, a turn ends with a named reason (${SCRIPTS} scripts)`, async () => {
  await fc.assert(
    fc.asyncProperty(script, async (each) => {
      // Never two boundaries in a row, or a run would only ever continue.
      const continues = each.continues.flatMap((now) => [now, false])
      const played = await play({ ...each, continues }).catch((error: unknown) => {
        expect(error).toBeInstanceOf(ModelError)
        return null
      })
      if (played === null) return
      const { end, state, count } = played
      const { maxSteps } = each.limits
      expect(end.kind).toBe('done')
      expect(state.steps).toBeLessThanOrEqual(maxSteps)
      // A prompt that is too long is asked with once more, and no third time.
      expect(count.answers).toBeLessThanOrEqual(maxSteps + 1 + count.tooLong)
      expect(count.tooLong).toBeLessThanOrEqual(maxSteps + 2)
      expect(state.usage.modelCalls).toBe(count.answers + count.summaries)
      expect(Number.isNaN(state.usage.totalTokens)).toBe(false)
      expect(state.sizes).toHaveLength(state.messages.length)
      if (end.kind === 'done' && end.result.stopReason === 'answered') {
        expect(end.result.answer.trim()).not.toBe('')
      }
    }),
    { numRuns: SCRIPTS, ...(SCRIPTS === 2_000 ? { seed: SEED } : {}) },
  )
}, 600_000)
