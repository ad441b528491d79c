import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { outcomeOf } from '../../../src/activities/failures.js'
import { observationOf } from '../../../src/activities/observation.js'
import { readReply } from '../../../src/activities/read-reply.js'
import { runTurn, type TurnEnd } from '../../../src/agent/loop.js'
import { buildPrompt } from '../../../src/agent/prompt.js'
import { startState } from '../../../src/agent/state.js'
import type { Manifest } from '../../../src/contract/manifest.js'
import type { ModelReply } from '../../../src/contract/reply.js'
import type { RunState } from '../../../src/contract/run.js'
import { defineAgent } from '../../../src/definition/define-agent.js'
import { defineTool } from '../../../src/definition/define-tool.js'
import { ModelError } from '../../../src/models/model-error.js'
import { readCompletion } from '../../../src/models/read-completion.js'
import { requestBody } from '../../../src/models/request-body.js'
import { checkRequest } from '../../../src/testing/index.js'

/** Scripts in one run; PERDURE_FUZZ=100000 for a night. */
const SCRIPTS = Number(process.env['PERDURE_FUZZ'] ?? 2_000)
/** The same scripts every time; a larger run finds others. */
const SEED = 20_261_130

const tools = [
  defineTool({
    name: 'search',
    description: 'Use when something has to be found.',
    input: z.object({
      q: z.string(),
      limit: z.number().optional(),
      tags: z.array(z.string()).optional(),
    }),
    annotations: { readOnlyHint: true },
    execute: () => '',
  }),
  defineTool({
    name: 'write',
    description: 'Use when something has to be written.',
    input: z.object({}),
    parallel: false,
    execute: () => '',
  }),
]

const odd = fc.constantFrom('', ' \n', '\ud83d', 'half 😀'.slice(0, -1), '</tool_result>', '\u0000')
const text = fc.oneof(odd, fc.string(), fc.constant('Some text.'))
const args = fc.oneof(
  fc.constantFrom(
    '{"q":"x"}',
    '{}',
    '',
    '"{\\"q\\":\\"x\\"}"',
    '{"q":"x","limit":null}',
    '{"q"',
    '[]',
  ),
  fc.constantFrom('{"q":"x","tags":"[\\"a\\"]"}', '{"__proto__":1,"q":"\\ud83d"}', 'null', '7'),
  fc.json(),
  fc.constantFrom(undefined, null, 7, { q: 'x' }, []),
)
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('search', 'write') },
  fc.constantFrom('constructor', '__proto__', 'functions.search', 'lookup" />', '', 'serch'),
)
const call = fc.oneof(
  { weight: 6, arbitrary: fc.record({ function: fc.record({ name, arguments: args }) }) },
  fc.constantFrom(null, 5, {}, { function: null }),
)
const message = fc.record(
  {
    content: fc.oneof(text, fc.constantFrom(null, undefined, [{ type: 'text', text: 'part' }], 7)),
    refusal: fc.option(text),
    tool_calls: fc.option(fc.array(call, { maxLength: 4 })),
    function_call: fc.option(fc.record({ name, arguments: args })),
  },
  { requiredKeys: [] },
)
const finish_reason = fc.constantFrom(
  'stop',
  'tool_calls',
  'length',
  'content_filter',
  null,
  'x',
  5,
)
const usage = fc.constantFrom(undefined, null, {}, { prompt_tokens: 3, completion_tokens: 'x' })
const completion = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      choices: fc.array(fc.record({ message, finish_reason }), { minLength: 1, maxLength: 2 }),
      usage,
    }),
  },
  fc.constantFrom({}, { choices: [] }, '<html>', null, { error: { code: 'overloaded' } }),
  fc.constant({ error: { code: 'context_length_exceeded', message: 'too long' } }),
  fc.jsonValue(),
)
const script = fc.record({
  replies: fc.array(completion, { minLength: 1, maxLength: 20 }),
  results: fc.array(fc.oneof(fc.anything(), text), { minLength: 1, maxLength: 5 }),
  maxSteps: fc.integer({ min: 1, max: 10 }),
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
    return await readReply(readCompletion(raw), manifest, tools)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const finish = outcomeOf(error)
    if (finish === 'final' || finish === 'retried') return finish
    return { text: '', calls: [], finish, tokens: null }
  }
}

/** Plays a script through everything but Temporal and HTTP: reading, the loop, the next request. */
async function play({ replies, results, continues, ...options }: Script) {
  const agent = defineAgent({
    name: 'fuzz',
    instructions: 'Be robust. \ud83d',
    model: 'm',
    tools,
    limits: { maxSteps: options.maxSteps },
    parallel: options.parallel,
    parseTextToolCalls: options.parseTextToolCalls,
  })
  const manifest = {
    ...agent.manifest,
    instructions: agent.instructionsFor(null),
    heartbeatTimeoutMs: 1_000,
    searchAttributes: [],
  }
  const start = { manifest, context: null, origin: 'o', turn: 1 }
  let state = startState({ ...start, input: 'Go. \ud83d' })
  const count = { requests: 0, ran: 0, boundaries: 0 }
  const dialect = { stream: true, schema: 'full', refused: new Set<string>() } as const
  const callModel = async (input: { readonly forced?: true }): Promise<ModelReply> => {
    for (let attempt = 1; attempt <= 6; attempt++) {
      const body = requestBody(buildPrompt(manifest, state.messages, input), dialect)
      expect(checkRequest(JSON.parse(JSON.stringify(body)))).toEqual([])
      const reply = await readRaw(replies[count.requests++ % replies.length], manifest)
      if (reply === 'final') break
      if (reply !== 'retried') return reply
    }
    throw new ModelError('model_error', { status: null })
  }
  const effects = {
    callModel,
    chooseStrategy: async () => null,
    summarize: async () => ({ text: 'What was.', tokens: null }),
    readArtifact: async () => ({ text: 'gone' }),
    runTool: async () => ({ text: observationOf(results[count.ran++ % results.length]) }),
    now: () => 0,
    shouldContinue: () => continues[count.boundaries++ % continues.length] === true,
    report: () => {},
  }
  let end: TurnEnd = { kind: 'continue' }
  for (let rounds = 0; end.kind === 'continue' && rounds < 200; rounds++) {
    // What continue-as-new carries is JSON.
    state = JSON.parse(JSON.stringify(state)) as RunState
    end = await runTurn(state, effects)
  }
  return { end, state }
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
      const { end, state } = played
      expect(end.kind).toBe('done')
      expect(state.steps).toBeLessThanOrEqual(each.maxSteps)
      expect(state.usage.modelCalls).toBeLessThanOrEqual(each.maxSteps + 1)
      expect(Number.isNaN(state.usage.totalTokens)).toBe(false)
      if (end.kind === 'done' && end.result.stopReason === 'answered') {
        expect(end.result.answer.trim()).not.toBe('')
      }
    }),
    { numRuns: SCRIPTS, ...(SCRIPTS === 2_000 ? { seed: SEED } : {}) },
  )
}, 600_000)
