import { expect, it } from 'vitest'
import { readReply } from '../../../src/activities/read-reply.js'
import { offeredTools } from '../../../src/agent/prompt.js'
import { agentWith, manifestOf } from './sample.js'

async function readOne(args: unknown, isOffered = true) {
  const agent = agentWith()
  const manifest = manifestOf(agent)
  const offered = { ...manifest, tools: offeredTools(manifest, isOffered) }
  const raw = {
    text: '',
    calls: [{ name: 'read_more', arguments: args }],
    finish: 'stop',
    tokens: null,
  } as const
  return (await readReply(raw, offered, { tools: agent.tools, context: null })).calls[0]
}

it.each([
  ['{"id":"001000101","page":2}', { id: '001000101', page: 2 }],
  ['{"id":"001000101","page":null}', { id: '001000101' }],
  ['{"id":"001000101"}', { id: '001000101' }],
])('read_more is read as %s', async (args, read) => {
  const call = await readOne(args)
  expect(call).toMatchObject({ name: 'read_more', args: read })
  expect(call).not.toHaveProperty('problem')
})

it.each(['{}', '{"id":7}', '{"id":"a","page":"two"}', '{"id":"a","page":1.5}', 'null'])(
  'read_more with %s is answered with what is wrong',
  async (args) => {
    expect(JSON.parse((await readOne(args))?.problem ?? '')).toMatchObject({
      error_type: 'invalid_arguments',
    })
  },
)

it('read_more that was not offered is no tool, and is not named among the others', async () => {
  const problem = JSON.parse((await readOne('{"id":"a"}', false))?.problem ?? '')
  expect(problem).toMatchObject({
    error_type: 'unknown_tool',
    message: 'There is no such tool. The tools are: lookup.',
  })
})
