import { describe, expect, it } from 'vitest'
import {
  bundleConfig,
  childEnvironment,
  modelConfig,
  serverConfig,
  taskQueueConfig,
  uiUrlConfig,
} from '../../src/config.js'

describe('the model', () => {
  it('is named by three variables', () => {
    const env = { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: 'http://x/v1', OPENAI_MODEL: 'm' }
    expect(modelConfig(env)).toEqual({ apiKey: 'key', baseURL: 'http://x/v1', model: 'm' })
  })

  it.each(['', '  ', '\n'])('is not named by %j', (value) => {
    const env = { OPENAI_API_KEY: value, OPENAI_BASE_URL: value, OPENAI_MODEL: value }
    expect(modelConfig(env)).toEqual({ apiKey: undefined, baseURL: undefined, model: undefined })
  })

  it('loses the blanks around its values: a key from a file ends in a line break', () => {
    expect(modelConfig({ OPENAI_API_KEY: ' key\n' }).apiKey).toBe('key')
  })
})

describe('the server', () => {
  it('is looked for in PATH and .perdure unless told otherwise', () => {
    expect(serverConfig({})).toEqual({ address: undefined, path: '', dir: '.perdure' })
    expect(serverConfig({ TEMPORAL_ADDRESS: '', PERDURE_DIR: ' ' })).toEqual(serverConfig({}))
  })

  it('is where the variables say', () => {
    const env = { TEMPORAL_ADDRESS: 'a:1', PATH: '/bin', PERDURE_DIR: '/tmp/p' }
    expect(serverConfig(env)).toEqual({ address: 'a:1', path: '/bin', dir: '/tmp/p' })
  })
})

it.each([
  [{}, undefined],
  [{ PERDURE_UI_URL: '' }, undefined],
  [{ PERDURE_UI_URL: 'http://ui' }, 'http://ui'],
])('%j has the UI at %s', (env, url) => {
  expect(uiUrlConfig(env)).toBe(url)
})

it.each([
  [{}, undefined],
  [{ PERDURE_TASK_QUEUE: ' ' }, undefined],
  [{ PERDURE_TASK_QUEUE: 'q' }, 'q'],
])('%j has the task queue %s', (env, queue) => {
  expect(taskQueueConfig(env)).toBe(queue)
})

it.each([
  [{}, 'prebuilt'],
  [{ PERDURE_BUNDLE: '' }, 'prebuilt'],
  [{ PERDURE_BUNDLE: 'build' }, 'build'],
])('%j has the workflow bundle %s', (env, bundle) => {
  expect(bundleConfig(env)).toBe(bundle)
})

it('a child gets this environment, with what was added on top', () => {
  const env = childEnvironment({ PATH: '/other', PERDURE_NEW: '1' })
  expect(env).toEqual({ ...process.env, PATH: '/other', PERDURE_NEW: '1' })
  expect(process.env['PERDURE_NEW']).toBeUndefined()
})
