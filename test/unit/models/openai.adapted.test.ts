import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/contract/json.js'
import type { Prompt } from '../../../src/contract/prompt.js'
import { type Reply, say, status } from '../../../src/testing/index.js'
import type { ChatRequest } from '../../../src/testing/wire.js'
import { endpoint, prompt, signal, TOOL } from './endpoint.js'

const STRICT = { ...TOOL, strict: true }

function unsupported(param: string | null, message = `Unsupported parameter: '${param}'.`) {
  return { error: { message, type: 'invalid_request_error', param, code: 'unsupported_parameter' } }
}

/** A server that refuses requests with any of these parameters, one at a time. */
function refusing(...names: readonly string[]) {
  return (request: ChatRequest): Reply => {
    const name = names.find((each) => has(request, each))
    return name === undefined ? say('ok') : status(400, { body: unsupported(name) })
  }
}

function has(request: ChatRequest, name: string): boolean {
  if (name === 'strict') return request.tools?.some((tool) => tool.function.strict) ?? false
  return request[name] !== undefined
}

const EVERYTHING: Partial<Prompt> = {
  settings: { temperature: 0, topP: 0.5, maxTokens: 7, seed: 1, stop: ['END'] },
  tools: [STRICT],
  parallel: false,
}

describe('a refused parameter (B17)', () => {
  it.each([
    'temperature',
    'top_p',
    'max_tokens',
    'seed',
    'stop',
    'parallel_tool_calls',
    'stream',
    'stream_options',
    'strict',
  ])('%s costs one more request, once and for all', async (name) => {
    const { server, model } = await endpoint({ respond: refusing(name) })
    const first = await model.complete(prompt(EVERYTHING), signal())
    expect(first).toMatchObject({ text: 'ok', adapted: [name] })
    expect(server.requests.map((request) => has(request.body, name))).toEqual([true, false])
    const second = await model.complete(prompt(EVERYTHING), signal())
    expect(second.text).toBe('ok')
    expect(second).not.toHaveProperty('adapted')
    expect(server.requests).toHaveLength(3)
  })

  it('max_tokens is sent again by its newer name', async () => {
    const { server, model } = await endpoint({ respond: refusing('max_tokens') })
    await model.complete(prompt({ settings: { maxTokens: 7 } }), signal())
    expect(server.requests[1]?.body).toMatchObject({ max_completion_tokens: 7 })
  })

  it('by both names is left out', async () => {
    const respond = refusing('max_tokens', 'max_completion_tokens')
    const { server, model } = await endpoint({ respond })
    const reply = await model.complete(prompt({ settings: { maxTokens: 7 } }), signal())
    expect(reply.adapted).toEqual(['max_tokens', 'max_completion_tokens'])
    expect(server.requests).toHaveLength(3)
  })

  it('may be one of several: each costs one request', async () => {
    const names = ['temperature', 'parallel_tool_calls', 'strict', 'stream']
    const { server, model } = await endpoint({ respond: refusing(...names) })
    const reply = await model.complete(prompt(EVERYTHING), signal())
    expect(reply.adapted).toEqual(names)
    expect(server.requests).toHaveLength(5)
  })

  it('is remembered for this model, not for another of the same server', async () => {
    const { server, model } = await endpoint({
      respond: (request) => (request.model === 'old' ? refusing('seed')(request) : say('ok')),
    })
    const asked = (name: string) => prompt({ model: name, settings: { seed: 1 } })
    await model.complete(asked('old'), signal())
    expect(await model.complete(asked('new'), signal())).not.toHaveProperty('adapted')
    await model.complete(asked('old'), signal())
    const sent = server.requests.map(({ body }) => [body.model, body['seed']])
    expect(sent).toEqual([
      ['old', 1],
      ['old', undefined],
      ['new', 1],
      ['old', undefined],
    ])
  })

  it('is learned once by each of two requests at the same time, and no more', async () => {
    const { server, model } = await endpoint({ respond: refusing('seed') })
    const ask = () => model.complete(prompt({ settings: { seed: 1 } }), signal())
    expect(await Promise.all([ask(), ask()])).toMatchObject([{ text: 'ok' }, { text: 'ok' }])
    expect(server.requests.length).toBeLessThanOrEqual(4)
    await ask()
    expect(server.requests.at(-1)?.body['seed']).toBeUndefined()
  })

  it('stays learned, and is told with the next reply, when the next try fails for another reason', async () => {
    let down = true
    const { server, model } = await endpoint({
      respond: (request) =>
        has(request, 'seed') ? refusing('seed')(request) : down ? status(503) : say('ok'),
    })
    const asked = prompt({ settings: { seed: 1 } })
    await expect(model.complete(asked, signal())).rejects.toMatchObject({ status: 503 })
    expect(server.requests).toHaveLength(2)
    down = false
    // Else there would be a request that no history knows of.
    expect(await model.complete(asked, signal())).toMatchObject({ text: 'ok', adapted: ['seed'] })
    expect(server.requests).toHaveLength(3)
  })

  it('that the request does not hold fails at once', async () => {
    const { server, model } = await endpoint({
      respond: () => status(400, { body: unsupported('max_tokens') }),
    })
    await expect(model.complete(prompt(), signal())).rejects.toMatchObject({ status: 400 })
    expect(server.requests).toHaveLength(1)
  })

  it.each(['messages', 'model', 'tools', 'no_such_thing', null])(
    'that nothing can be done about fails at once: %s',
    async (param) => {
      const body = unsupported(param, 'That cannot be.')
      const { server, model } = await endpoint({ respond: () => status(400, { body }) })
      await expect(model.complete(prompt(EVERYTHING), signal())).rejects.toMatchObject({
        status: 400,
      })
      expect(server.requests).toHaveLength(1)
    },
  )

  it('is no endless round: a server that refuses all of it for ever is given up', async () => {
    const parameters = { type: 'object', properties: { a: { enum: [{ strict: true }] } } }
    for (const param of ['strict', 'stream', 'max_tokens', 'seed']) {
      let requests = 0
      const { model } = await endpoint({
        respond: () => {
          requests++
          // A loop without end would hang the test: the server ends it.
          return requests > 20 ? say('endless') : status(400, { body: unsupported(param) })
        },
      })
      const asked = prompt({ ...EVERYTHING, tools: [{ ...STRICT, parameters }] })
      await expect(model.complete(asked, signal())).rejects.toMatchObject({ status: 400 })
      expect(requests).toBe(2)
    }
  })
})

describe('a refusal in the words of other servers', () => {
  const vllm = {
    type: 'extra_forbidden',
    loc: ['body', 'seed'],
    msg: 'Extra inputs are not permitted',
    input: 1,
  }
  const text =
    "[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'msg': 'Extra inputs are not permitted'}]"

  it.each<[string, number, JsonValue]>([
    [
      'only in the message',
      400,
      { error: { message: 'Unrecognized request argument supplied: seed' } },
    ],
    ['error is a text', 400, { error: 'seed is not supported' }],
    ['no JSON', 400, 'unknown field: seed'],
    ['FastAPI', 422, { detail: [vllm] }],
    ['a detail in words', 422, { detail: 'Unsupported parameter: seed' }],
    [
      'vLLM, older',
      400,
      { object: 'error', message: text, type: 'BadRequestError', param: null, code: 400 },
    ],
    [
      'vLLM, newer',
      400,
      { error: { message: text, type: 'BadRequestError', param: null, code: 400 } },
    ],
    [
      'Mistral',
      422,
      { object: 'error', message: { detail: [vllm] }, type: 'invalid_request_error' },
    ],
    ['a list of errors', 400, [{ error: { message: 'Unknown name "seed": Cannot find field.' } }]],
    ['a path as param', 400, { error: { message: 'Unsupported.', param: ['body', 'seed'] } }],
  ])('is understood: %s', async (_what, code, body) => {
    const { server, model } = await endpoint({
      respond: (request) => (has(request, 'seed') ? status(code, { body }) : say('ok')),
    })
    const reply = await model.complete(prompt({ settings: { seed: 1, temperature: 0 } }), signal())
    expect(reply.adapted).toEqual(['seed'])
    expect(server.requests).toHaveLength(2)
    expect(server.requests[1]?.body).toMatchObject({ temperature: 0 })
  })

  it.each<[string, JsonValue]>([
    ['detail', { detail: 'the tokenizer is missing' }],
    ['message', { object: 'error', message: 'the tokenizer is missing' }],
    ['list', [{ error: { message: 'the tokenizer is missing' } }]],
  ])('or else reaches the person who reads the failure (%s)', async (_what, body) => {
    const { model } = await endpoint({ respond: () => status(400, { body }) })
    await expect(model.complete(prompt(), signal())).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('the tokenizer is missing'),
    })
  })
})

it('the strict server of the test kit takes what is left after each refusal', async () => {
  const respond = refusing('strict', 'stream', 'max_tokens', 'parallel_tool_calls')
  const { server, model } = await endpoint({ respond })
  await model.complete(prompt(EVERYTHING), signal())
  expect(server.requests.flatMap(({ violations }) => violations)).toEqual([])
})
