import { describe, expect, it, onTestFinished } from 'vitest'
import { completion } from '../../../../src/doctor/checks/completion.js'
import { model } from '../../../../src/doctor/checks/model.js'
import type { Subject } from '../../../../src/doctor/subject.js'
import {
  type ModelServerOptions,
  say,
  startModelServer,
  status,
} from '../../../../src/testing/index.js'
import { testAgent } from '../../../kit/agents.js'
import { subject } from '../subjects.js'

const KEY = 'sk-test-1234567890'

interface Setup extends Partial<Subject> {
  readonly server?: Partial<ModelServerOptions>
  readonly apiKey?: string
}

/** A model server that is closed after the test, and a set-up that asks it. */
async function setUp({ server, apiKey, ...more }: Setup = {}) {
  const running = await startModelServer({ respond: () => say('ok'), ...server } as never)
  onTestFinished(() => running.close())
  const config = { apiKey, baseURL: running.url, model: undefined }
  return { server: running, of: subject({ model: config, ...more }) }
}

function signal(): AbortSignal {
  return new AbortController().signal
}

describe('the model', () => {
  it('that answers is ok, with a key or without', async () => {
    const open = await setUp()
    expect(await model.look(open.of, signal())).toEqual([
      { status: 'ok', text: `${open.server.url} answers, no key is set` },
    ])
    const keyed = await setUp({ apiKey: KEY, server: { apiKey: KEY } })
    expect(await model.look(keyed.of, signal())).toEqual([
      { status: 'ok', text: `${keyed.server.url} answers and takes the key` },
    ])
  })

  it('that wants another key names the variable', async () => {
    const wrong = await setUp({ apiKey: KEY, server: { apiKey: 'other' } })
    expect(await model.look(wrong.of, signal())).toMatchObject([
      {
        status: 'fail',
        text: expect.stringContaining('refuses the key'),
        fix: 'check OPENAI_API_KEY',
      },
    ])
    const none = await setUp({ server: { apiKey: 'other' } })
    expect(await model.look(none.of, signal())).toMatchObject([
      { status: 'fail', text: expect.stringContaining('wants a key'), fix: 'set OPENAI_API_KEY' },
    ])
  })

  it('that is not there says why', async () => {
    const { of, server } = await setUp()
    await server.close()
    expect(await model.look(of, signal())).toMatchObject([
      { status: 'fail', text: expect.stringContaining('ECONNREFUSED') },
    ])
  })

  it('that is not set is missed by a worker of agents, and by nobody else', async () => {
    expect(await model.look(subject(), signal())).toMatchObject([{ status: 'skip' }])
    const agents = [testAgent()]
    expect(await model.look(subject({ agents }), signal())).toMatchObject([{ status: 'fail' }])
  })

  it('that the server does not list is told where no completion tells it', async () => {
    const agents = [testAgent({ model: ['test-model', 'gpt-9'] })]
    const { of } = await setUp({ agents, completion: false })
    expect(await model.look(of, signal())).toMatchObject([
      { status: 'warn', text: expect.stringMatching(/does not list gpt-9$/) },
    ])
  })
})

describe('a completion', () => {
  it('is made with the settings and the tools of the agent, and says what it took', async () => {
    const agents = [testAgent({ modelSettings: { temperature: 0, maxTokens: 900 } })]
    const { of, server } = await setUp({ agents })
    const [found] = await completion.look(of, signal())
    expect(found?.status).toBe('ok')
    expect(found?.text).toMatch(
      /^test-model answered in \d\.\d s, with the tools of test-agent, \d+ \+ \d+ tokens$/,
    )
    expect(server.requests[0]?.body).toMatchObject({
      model: 'test-model',
      temperature: 0,
      tools: [{ function: { name: 'lookup' } }],
    })
    expect(JSON.stringify(server.requests[0]?.body)).toContain('16')
  })

  it('is made once for each model, fallbacks included', async () => {
    const agents = [testAgent({ model: ['a', 'b'] }), testAgent({ name: 'other', model: 'b' })]
    const { of, server } = await setUp({ agents, server: { models: ['a', 'b'] } })
    const found = await completion.look(of, signal())
    expect(found.map(({ text }) => text.split(' ')[0])).toEqual(['a', 'b'])
    expect(server.requests).toHaveLength(2)
  })

  it('of OPENAI_MODEL is made without agents', async () => {
    const { of, server } = await setUp()
    const named = { ...of, model: { ...of.model, model: 'my-model' } }
    expect(await completion.look(named, signal())).toMatchObject([{ status: 'ok' }])
    expect(server.requests[0]?.body).not.toHaveProperty('tools')
    expect(await completion.look(of, signal())).toMatchObject([{ status: 'skip' }])
  })

  it('is not made when it is not wanted', async () => {
    const { of, server } = await setUp({ agents: [testAgent()], completion: false })
    expect(await completion.look(of, signal())).toMatchObject([{ status: 'skip' }])
    expect(server.requests).toHaveLength(0)
  })

  it.each([
    [401, 'OPENAI_API_KEY'],
    [404, 'OPENAI_MODEL'],
    [429, 'quota'],
    [500, 'docs/failures.md'],
  ])('that fails with %i says what to do', async (code, advice) => {
    const { of } = await setUp({ agents: [testAgent()], server: { respond: () => status(code) } })
    expect(await completion.look(of, signal())).toMatchObject([
      {
        status: 'fail',
        text: expect.stringContaining(`${code}`),
        fix: expect.stringContaining(advice),
      },
    ])
  })
})
