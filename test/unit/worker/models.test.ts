import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ModelConfig } from '../../../src/config.js'
import { DefinitionError } from '../../../src/definition/definition-error.js'
import type { Model } from '../../../src/models/model.js'
import { say, startModelServer } from '../../../src/testing/index.js'
import { MissingModelError } from '../../../src/worker/missing-model-error.js'
import {
  type ModelRegistry,
  type ModelSources,
  openaiCompatible,
  resolveModels,
} from '../../../src/worker/models.js'
import { agentWith } from '../activities/sample.js'
import { prompt, signal } from '../models/endpoint.js'

const NOTHING: ModelConfig = { apiKey: undefined, baseURL: undefined, model: undefined }
const KEY_VARIABLE = 'PERDURE_TEST_MODEL_KEY'

beforeEach(() => {
  vi.stubEnv(KEY_VARIABLE, undefined)
})

afterEach(() => {
  vi.unstubAllEnvs()
})

function own(text = 'mine'): Model {
  return { complete: async () => ({ text, calls: [], finish: 'stop', tokens: null }) }
}

function resolve(sources: Partial<ModelSources> = {}) {
  return resolveModels({ agents: [], models: {}, model: undefined, config: NOTHING, ...sources })
}

async function server(apiKey?: string) {
  const started = await startModelServer({
    respond: () => say('served'),
    ...(apiKey === undefined ? {} : { apiKey }),
  })
  onTestFinished(() => started.close())
  return started
}

/** What resolving throws. */
function thrownBy(sources: Partial<ModelSources>): unknown {
  try {
    resolve(sources)
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('a worker without any model', () => {
  it('is refused, naming agent, model and the variables that help', () => {
    const error = thrownBy({ agents: [agentWith({ model: 'gpt-x' })] })
    expect(error).toBeInstanceOf(MissingModelError)
    expect(String(error)).toMatch(/"support".*"gpt-x".*OPENAI_API_KEY.*OPENAI_BASE_URL/)
  })

  it('is refused for a fallback model that it does not have, naming its own', () => {
    const agents = [agentWith({ model: ['local', 'gpt-x'] })]
    const error = thrownBy({ agents, models: { local: own(), other: own() } })
    expect(error).toBeInstanceOf(MissingModelError)
    expect(String(error)).toMatch(/"gpt-x".*Its own models: local, other\./)
  })

  it('is no matter where no agent names one', () => {
    expect(() => resolve()).not.toThrow()
  })

  it('has a ModelError, so a retry, for a name that only another worker knows', () => {
    const { modelOf } = resolve({ models: { local: own() } })
    expect(() => modelOf('gpt-x')).toThrow(
      expect.objectContaining({
        name: 'ModelError',
        status: null,
        message: expect.stringContaining('"gpt-x"'),
      }),
    )
  })

  it.each(['constructor', '__proto__', 'toString'])('has no model named %s either', (model) => {
    expect(thrownBy({ agents: [agentWith({ model })], models: { local: own() } })).toBeInstanceOf(
      MissingModelError,
    )
  })
})

describe('the environment', () => {
  it('with a key alone is enough', () => {
    const { modelOf } = resolve({ agents: [agentWith()], config: { ...NOTHING, apiKey: 'sk-k' } })
    expect(modelOf('test-model')).toHaveProperty('complete')
  })

  it('with a base URL alone is enough: local servers need no key', async () => {
    const { url } = await server()
    const config = { ...NOTHING, baseURL: url }
    const { modelOf } = resolve({ agents: [agentWith()], config })
    expect((await modelOf('test-model').complete(prompt(), signal())).text).toBe('served')
  })

  it('with a model alone is none', () => {
    const config = { ...NOTHING, model: 'gpt-x' }
    expect(thrownBy({ agents: [agentWith()], config })).toBeInstanceOf(MissingModelError)
  })
})

describe('OPENAI_MODEL', () => {
  const config = { ...NOTHING, apiKey: 'sk-k', model: 'replaced' }

  it('replaces the names that have no entry, and only those', () => {
    const { nameOf } = resolve({ models: { local: own() }, config })
    expect(['local', 'gpt-a', 'gpt-b'].map(nameOf)).toEqual(['local', 'replaced', 'replaced'])
  })

  it('replaces nothing beside a model that the worker was given', () => {
    const { nameOf } = resolve({ model: own(), config })
    expect(nameOf('gpt-a')).toBe('gpt-a')
  })

  it('that is not set replaces nothing', () => {
    const { nameOf } = resolve({ config: { ...config, model: undefined } })
    expect(nameOf('gpt-a')).toBe('gpt-a')
  })
})

describe('a model', () => {
  it('of a name is its entry; every other name has the default', async () => {
    const { modelOf } = resolve({ models: { local: own('local') }, model: own('default') })
    const texts = ['local', 'gpt-a'].map(async (name) => {
      return (await modelOf(name).complete(prompt(), signal())).text
    })
    expect(await Promise.all(texts)).toEqual(['local', 'default'])
  })

  it.each(['__proto__', 'constructor'])('may be named %s', async (model) => {
    const models = Object.fromEntries([[model, own('odd')]]) as ModelRegistry
    const { modelOf, nameOf } = resolve({ agents: [agentWith({ model })], models })
    expect(nameOf(model)).toBe(model)
    expect((await modelOf(model).complete(prompt(), signal())).text).toBe('odd')
  })

  it('is the same object each time, so that what it learned of its server is kept', () => {
    const { modelOf } = resolve({ models: { local: { baseURL: 'http://127.0.0.1:1/v1' } } })
    expect(modelOf('local')).toBe(modelOf('local'))
  })
})

describe('an OpenAI-compatible server', () => {
  it('is described by data, without its key', () => {
    const entry = openaiCompatible({ baseURL: 'http://127.0.0.1:1/v1', apiKeyEnv: KEY_VARIABLE })
    expect(JSON.parse(JSON.stringify(entry))).toEqual(entry)
  })

  it('gets the key of its variable', async () => {
    vi.stubEnv(KEY_VARIABLE, 'key-of-the-variable')
    const { url } = await server('key-of-the-variable')
    const entry = openaiCompatible({ baseURL: url, apiKeyEnv: KEY_VARIABLE })
    const { modelOf } = resolve({ models: { local: entry } })
    expect((await modelOf('local').complete(prompt(), signal())).text).toBe('served')
  })

  it('needs no key, and does not get that of OpenAI', async () => {
    const { url } = await server('none')
    const config = { ...NOTHING, apiKey: 'sk-of-openai-itself' }
    const { modelOf } = resolve({ models: { local: openaiCompatible({ baseURL: url }) }, config })
    expect((await modelOf('local').complete(prompt(), signal())).text).toBe('served')
  })

  it.each([undefined, '', '  '])('whose variable is %j is refused, naming both', (value) => {
    vi.stubEnv(KEY_VARIABLE, value)
    const entry = openaiCompatible({ baseURL: 'http://127.0.0.1:1/v1', apiKeyEnv: KEY_VARIABLE })
    const error = thrownBy({ models: { local: entry } })
    expect(error).toBeInstanceOf(DefinitionError)
    expect(String(error)).toContain(`models.local: the environment variable ${KEY_VARIABLE}`)
  })

  it('hands its dialect on', async () => {
    const started = await server()
    const entry = openaiCompatible({ baseURL: started.url, stream: false })
    await resolve({ models: { local: entry } })
      .modelOf('local')
      .complete(prompt(), signal())
    expect(started.requests[0]?.body).not.toHaveProperty('stream')
  })
})
