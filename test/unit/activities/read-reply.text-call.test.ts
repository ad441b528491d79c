import { describe, expect, it } from 'vitest'
import { readReply } from '../../../src/activities/read-reply.js'
import type { RawReply } from '../../../src/models/model.js'
import { agentWith, manifestOf } from './sample.js'

const JSON_CALL = '{"name":"lookup","arguments":{"id":"A1"}}'

function read(said: Partial<RawReply>, parseTextToolCalls?: boolean) {
  const agent = agentWith(parseTextToolCalls === undefined ? {} : { parseTextToolCalls })
  const raw: RawReply = { text: '', calls: [], finish: 'stop', tokens: null, ...said }
  return readReply(raw, manifestOf(agent), { tools: agent.tools, context: null })
}

describe('a call that is written as text (B11)', () => {
  it.each([undefined, false])('is the answer where the agent says %s', async (parse) => {
    const tagged = `<tool_call>${JSON_CALL}</tool_call>`
    expect(await read({ text: JSON_CALL }, parse)).toMatchObject({ text: JSON_CALL, calls: [] })
    expect(await read({ text: tagged }, parse)).toMatchObject({ text: tagged, calls: [] })
  })

  it('is a call where the agent allows it', async () => {
    for (const text of [JSON_CALL, `<tool_call>${JSON_CALL}</tool_call>`]) {
      expect(await read({ text }, true)).toEqual({
        text: '',
        calls: [{ name: 'lookup', args: { id: 'A1' } }],
        finish: 'stop',
        tokens: null,
      })
    }
  })

  it('may have its arguments as text, like any call', async () => {
    const text = '{"name":"lookup","arguments":"{\\"id\\":\\"A1\\"}"}'
    expect((await read({ text }, true)).calls).toEqual([{ name: 'lookup', args: { id: 'A1' } }])
  })

  it.each([
    ['prose that quotes it', `Send ${JSON_CALL} to look it up.`],
    ['an unknown tool', '{"name":"nope","arguments":{"id":"A1"}}'],
    ['arguments that do not fit', '{"name":"lookup","arguments":{"id":7}}'],
    ['missing arguments', '{"name":"lookup","arguments":{}}'],
    ['an answer in JSON', '{"id":"A1"}'],
  ])('is never run where it is %s: the text is the answer', async (_what, text) => {
    expect(await read({ text }, true)).toMatchObject({ text, calls: [] })
  })

  it('beside a real call is text', async () => {
    const calls = [{ name: 'lookup', arguments: '{"id":"A2"}' }]
    expect(await read({ text: JSON_CALL, calls }, true)).toMatchObject({
      text: JSON_CALL,
      calls: [{ args: { id: 'A2' } }],
    })
  })

  it.each(['length', 'refusal', 'content_filter'] as const)(
    'in a reply that ended by %s is text',
    async (finish) => {
      expect(await read({ text: JSON_CALL, finish }, true)).toMatchObject({
        text: JSON_CALL,
        calls: [],
      })
    },
  )
})
