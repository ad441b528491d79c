import { expect, test } from 'vitest'
import { buildPrompt } from '../../../src/agent/prompt.js'
import { manifestOf, stateOf } from './manifests.js'

const { messages } = stateOf()

test('a prompt holds what the manifest says, and the conversation', () => {
  const manifest = manifestOf({ parallel: false, modelSettings: { temperature: 0 } })
  expect(buildPrompt(manifest, messages, false)).toEqual({
    model: 'test-model',
    settings: { temperature: 0 },
    instructions: 'Answer.',
    messages,
    tools: manifest.tools,
    parallel: false,
  })
})

test('a forced prompt differs in its tools alone: there are none', () => {
  const manifest = manifestOf()
  expect(buildPrompt(manifest, messages, true)).toEqual({
    ...buildPrompt(manifest, messages, false),
    tools: [],
  })
})
