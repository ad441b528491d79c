import { beforeAll, expect, test } from 'vitest'
import type { JsonValue } from '../../src/index.js'
import { callTool, type Reply, raw, say, sse, status } from '../../src/testing/index.js'
import { resolveModels } from '../../src/worker/models.js'
import { createWorker, MissingModelError, openAIModel } from '../../src/worker.js'
import { testAgent } from '../kit/agents.js'
import { historyText } from '../kit/history-text.js'
import { captureLog } from '../kit/quiet-runtime.js'
import { type Outcome, openStage, type Stage } from './kit.js'

const KEY = 'sk-test-123-abcdef'
/** A key that looks like none. */
const ODD_KEY = 'Zx9~plain/words+Qq7=='
const PASSWORD = 'p@ss w/rd'
const PAIR = Buffer.from(`user:${PASSWORD}`).toString('base64')
const SECRETS = [KEY, ODD_KEY, PASSWORD, encodeURIComponent(PASSWORD), PAIR]

let log: ReturnType<typeof captureLog>
beforeAll(() => {
  log = captureLog()
})

/** The servers' ways of telling a client what it sent. */
function echoes(secret: string, header: string): Record<string, Reply> {
  const error = (message: JsonValue, more = {}) => ({ error: { message, ...more } })
  return {
    'in a 401': status(401, { body: error(`Incorrect API key provided: ${secret}.`) }),
    'as a header in a 401': status(401, { body: error(`Bad header Authorization: ${header}`) }),
    'in a code': status(401, {
      body: error('No.', { code: `invalid:${secret}`, param: secret, type: secret }),
    }),
    'as other JSON': status(403, {
      body: { headers: { authorization: header }, detail: [secret] },
    }),
    'as a page': raw(`<html>${secret} ${header}</html>`, { status: 404 }),
    'in headers': status(400, {
      headers: { 'x-request-authorization': header, 'x-request-id': secret },
    }),
    'in a 200 with an error': raw(error(`key ${secret}`, { code: 'invalid_api_key' })),
    'in a 200 that is no completion': raw({ sent: { authorization: header } }),
    'as text that is no JSON': raw(`upstream said: ${header}`, {
      headers: { 'content-type': 'application/json' },
    }),
    'cut in two by the length of a message': status(401, {
      body: error(`${'x'.repeat(495)}${secret}`),
    }),
    'far behind': status(401, { body: error(`${'x'.repeat(4_990)}${secret}`) }),
    'in a stream': sse([error(`key ${secret} ${header}`)]),
  }
}

/** Replies that are whole, with what was sent in fields beside the answer. */
function wholeReplies(secret: string, header: string): Record<string, Reply> {
  const choice = {
    index: 0,
    finish_reason: 'stop',
    message: { role: 'assistant', content: 'fine' },
  }
  const fields = {
    id: secret,
    model: header,
    system_fingerprint: secret,
    request: { headers: { authorization: header } },
  }
  return {
    'in fields of a document': raw({
      ...fields,
      choices: [{ ...choice, logprobs: secret }],
      usage: { key: secret },
    }),
    'in fields of a stream': sse([
      { ...fields, choices: [{ delta: { content: 'fine', debug: header }, debug: secret }] },
      { ...fields, choices: [{ delta: {}, finish_reason: 'stop' }] },
    ]),
  }
}

async function traces(
  stage: Stage,
  { events, error, steps, result, run }: Outcome,
): Promise<string> {
  const handle = stage.client.client.workflow.getHandle(run.id)
  const metadata = await handle.query('__temporal_workflow_metadata')
  const { memo, searchAttributes } = await handle.describe()
  return [
    historyText(events),
    JSON.stringify([metadata, memo, searchAttributes, steps, result]),
    String(error),
    error?.stack,
    JSON.stringify(error),
    String(error?.cause),
  ].join('\n')
}

function expectNone(text: string, name: string): void {
  for (const secret of SECRETS) {
    expect(text.includes(secret), `${name}: ${secret} at ${text.indexOf(secret)}`).toBe(false)
  }
}

const CREDENTIALS: Record<
  string,
  readonly [
    secret: string,
    header: string,
    options: (url: string) => Parameters<typeof openAIModel>[0],
  ]
> = {
  'an OpenAI key': [KEY, `Bearer ${KEY}`, (baseURL) => ({ baseURL, apiKey: KEY })],
  'a key of another form': [
    ODD_KEY,
    `Bearer ${ODD_KEY}`,
    (baseURL) => ({ baseURL, apiKey: ODD_KEY }),
  ],
  'a password in the URL': [
    PASSWORD,
    `Basic ${PAIR}`,
    (url) => ({ baseURL: url.replace('//', `//user:${encodeURIComponent(PASSWORD)}@`) }),
  ],
}

test.each(Object.keys(CREDENTIALS))(
  'B46 · %s stays out of history, summaries, errors and logs',
  async (kind) => {
    const [secret, header, options] = CREDENTIALS[kind] ?? ['', '', () => ({})]
    const stage = await openStage({
      agents: [testAgent({ modelRetry: { maximumAttempts: 1 } })],
      makeModel: (url) => openAIModel(options(url)),
    })
    const failing = Object.entries(echoes(secret, header))
    const outcomes = await Promise.all(
      failing.map(([, reply]) => stage.play({ respond: () => reply })),
    )
    for (const [i, outcome] of outcomes.entries()) {
      const name = failing[i]?.[0] ?? ''
      expect(outcome.error, name).toMatchObject({ reason: 'model_error' })
      expectNone(await traces(stage, outcome), name)
    }
    for (const [name, reply] of Object.entries(wholeReplies(secret, header))) {
      const outcome = await stage.play({ script: [reply] })
      expect(outcome.result?.answer, name).toBe('fine')
      expectNone(await traces(stage, outcome), name)
    }
    // The key was really sent, or nothing would be shown.
    expect(
      stage.model.requests.every(({ headers }) => headers['authorization'] === '[present]'),
    ).toBe(true)
    expectNone(
      JSON.stringify(log.map(({ message, meta }) => [message, String(meta?.['error']), meta])),
      'log',
    )
  },
)

test('B46 · a key that the model itself is made to say stays out too', async () => {
  const agents = [testAgent()]
  const stage = await openStage({
    agents,
    makeModel: (baseURL) => openAIModel({ baseURL, apiKey: ODD_KEY }),
  })
  const outcome = await stage.play({
    script: [
      callTool('lookup', { id: ODD_KEY }, { text: `I was sent Bearer ${ODD_KEY}` }),
      callTool(ODD_KEY, { id: 'A1' }),
      callTool('lookup', `{"id" "${ODD_KEY}"}`),
      say(`Your key is ${ODD_KEY}`),
    ],
  })
  expect(outcome.result?.stopReason).toBe('answered')
  expectNone(await traces(stage, outcome), 'echoed by the model')
})

test('B46 · a URL that cannot be reached is told without its password', async () => {
  const baseURL = `http://user:${encodeURIComponent(PASSWORD)}@127.0.0.1:9/v1`
  const agents = [testAgent({ modelRetry: { maximumAttempts: 1 } })]
  const stage = await openStage({ agents, makeModel: () => openAIModel({ baseURL }) })
  const run = await stage.client.start('test-agent', { input: 'Go.' })
  const error: Error = await run.result().then(
    () => new Error('answered'),
    (reason) => reason,
  )
  expect(error).toMatchObject({ reason: 'model_error' })
  expectNone(
    `${error} ${error.stack} ${error.cause} ${JSON.stringify(await run.steps())}`,
    'refused',
  )
  for (const bad of [`http://user:${PASSWORD}@`, `user:${PASSWORD}`, '']) {
    const told = String(
      await Promise.resolve()
        .then(() => openAIModel({ baseURL: bad }))
        .catch((e) => e),
    )
    expect(told).not.toContain(PASSWORD)
  }
})

test('B46 · a key that is not set fails at once, naming the variable', async () => {
  const agents = [testAgent()]
  const local = { baseURL: 'http://127.0.0.1:9/v1', apiKeyEnv: 'PERDURE_TEST_NOT_SET' }
  await expect(createWorker({ agents, models: { local } })).rejects.toThrow('PERDURE_TEST_NOT_SET')
  const none = { apiKey: undefined, baseURL: undefined, model: undefined }
  const resolve = () => resolveModels({ agents, models: {}, model: undefined, config: none })
  expect(resolve).toThrow(MissingModelError)
  expect(resolve).toThrow(/OPENAI_API_KEY/)
})
