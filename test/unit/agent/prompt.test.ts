import { expect, test } from 'vitest'
import { buildPrompt } from '../../../src/agent/prompt.js'
import { manifestOf, stateOf } from './manifests.js'

const { messages } = stateOf()

test('a prompt holds what the manifest says, and the conversation', () => {
  const manifest = manifestOf({ parallel: false, modelSettings: { temperature: 0 } })
  expect(buildPrompt(manifest, messages)).toEqual({
    model: 'test-model',
    settings: { temperature: 0 },
    instructions: 'Answer.',
    messages,
    tools: manifest.tools,
    parallel: false,
  })
})

test('a strategy follows the instructions, one that the manifest does not have is none', () => {
  const kind = { name: 'kind', when: 'They are sad.', instructions: 'Be kind.' }
  const manifest = manifestOf({ strategies: [kind] })
  const instructions = (strategy: string) =>
    buildPrompt(manifest, messages, { strategy }).instructions
  expect(instructions('kind')).toBe('Answer.\n\nBe kind.')
  expect(instructions('gone')).toBe('Answer.')
})

test('a forced prompt differs in its tools alone: there are none', () => {
  const manifest = manifestOf()
  expect(buildPrompt(manifest, messages, { forced: true })).toEqual({
    ...buildPrompt(manifest, messages),
    tools: [],
  })
})
