import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/contract/messages.js'
import type { RawReply } from '../../../src/models/model.js'
import { modelWorker } from './model-worker.js'
import { agentWith } from './sample.js'

const REPLY: RawReply = { text: 'Angry.', calls: [], finish: 'stop', tokens: null }
const STRATEGIES = [
  { name: 'angry', when: 'They are angry.', instructions: 'Stay calm.' },
  { name: 'new', when: 'They are new.', instructions: 'Explain.' },
]

function worker(messages: readonly Message[], strategies = STRATEGIES) {
  const agent = agentWith({ strategies, modelSettings: { seed: 1, stop: ['x'] } })
  return modelWorker(async () => REPLY, { agent, messages })
}

describe('the choice of a strategy', () => {
  it('is asked for with the list, and what was said last; results of tools are left out', async () => {
    const one = worker([
      { role: 'user', text: 'Where is it?' },
      { role: 'assistant', text: ' ', calls: [{ name: 'a', args: {} }], turn: 1, step: 1 },
      { role: 'tool', id: '001000101', text: 'nowhere' },
      { role: 'assistant', text: 'Lost.', calls: [], turn: 1, step: 2 },
    ])
    expect(await one.choose({ model: 'b' })).toEqual({ strategy: 'angry', tokens: null })
    expect(one.prompts).toEqual([
      {
        model: 'b',
        settings: { seed: 1 },
        instructions: expect.stringContaining('- angry: They are angry.\n- new: They are new.'),
        messages: [{ role: 'user', text: 'user: Where is it?\nassistant: Lost.' }],
        tools: [],
        parallel: true,
      },
    ])
  })

  it('is made from the last six messages, and the end of each', async () => {
    const said = (n: number): Message => ({ role: 'user', text: `${'x'.repeat(1_500)} ${n}` })
    const one = worker([1, 2, 3, 4, 5, 6, 7].map(said))
    await one.choose()
    const lines = one.prompts[0]?.messages[0]?.text.split('\n') ?? []
    expect(lines.map((line) => line.slice(-1))).toEqual(['2', '3', '4', '5', '6', '7'])
    expect(lines.every((line) => line.length === 'user: '.length + 1_000)).toBe(true)
  })

  it('of an agent without strategies is none', async () => {
    const { choose } = worker([{ role: 'user', text: 'hi' }], [])
    expect(await choose()).toEqual({ strategy: null, tokens: null })
  })
})
