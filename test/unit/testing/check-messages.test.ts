import { answer, call, calls, request, user } from './conversation.js'
import { type Illegal, type Legal, testRules } from './rules.js'

const legal: readonly Legal[] = [
  ['one user message', request(user)],
  [
    'system and developer first',
    request({ role: 'system', content: 's' }, { role: 'developer', content: 'd' }, user),
  ],
  ['only a system message', request({ role: 'system', content: 's' })],
  [
    'user content in text parts',
    request({ role: 'user', content: [{ type: 'text', text: 'hi' }] }),
  ],
  ['an empty content string', request(user, { role: 'assistant', content: '' }, user)],
]

const illegal: readonly Illegal[] = [
  ['messages', 'messages', 'no messages', { model: 'm' }],
  ['messages', 'messages', 'an empty list of messages', request()],
  ['messages', 'messages[0]', 'a message that is a string', request('hi')],
  ['role', 'messages[0].role', 'an unknown role', request({ role: 'function', content: 'x' })],
  ['role', 'messages[0].role', 'no role', request({ content: 'x' })],
  [
    'system-first',
    'messages[1]',
    'a system message after the user',
    request(user, { role: 'system', content: 's' }),
  ],
  [
    'system-first',
    'messages[1]',
    'a developer message after the user',
    request(user, { role: 'developer', content: 's' }),
  ],
  [
    'content',
    'messages[0].content',
    'system content in parts',
    request({ role: 'system', content: [{ type: 'text', text: 's' }] }, user),
  ],
  ['content', 'messages[0].content', 'user content null', request({ role: 'user', content: null })],
  [
    'content',
    'messages[0].content',
    'user content without parts',
    request({ role: 'user', content: [] }),
  ],
  [
    'content',
    'messages[0].content',
    'an image part',
    request({ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }),
  ],
  [
    'content',
    'messages[2].content',
    'a tool result that is an object',
    request(user, calls(call('c1')), { ...answer('c1'), content: { ok: true } }),
  ],
  [
    'content',
    'messages[2].content',
    'a tool result without content',
    request(user, calls(call('c1')), { role: 'tool', tool_call_id: 'c1' }),
  ],
  [
    'content',
    'messages[1].content',
    'assistant content null without calls',
    request(user, { role: 'assistant', content: null }, user),
  ],
  [
    'content',
    'messages[1].content',
    'assistant content absent without calls',
    request(user, { role: 'assistant' }, user),
  ],
  [
    'content',
    'messages[1].content',
    'assistant content that is a number',
    request(user, { role: 'assistant', content: 5 }, user),
  ],
]

testRules('the rules of messages', { legal, illegal })
