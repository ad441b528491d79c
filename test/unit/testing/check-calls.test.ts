import { answer, call, calls, request, user } from './conversation.js'
import { type Illegal, type Legal, testRules } from './rules.js'

const legal: readonly Legal[] = [
  ['null content beside calls', request(user, calls(call('c1')), answer('c1'))],
  [
    'absent content beside calls',
    request(user, { role: 'assistant', tool_calls: [call('c1')] }, answer('c1')),
  ],
  [
    'text beside calls',
    request(user, { ...calls(call('c1')), content: 'One moment.' }, answer('c1')),
  ],
  ['an id of 40 characters', request(user, calls(call('c'.repeat(40))), answer('c'.repeat(40)))],
  ['a name of 64 characters', request(user, calls(call('c1', 'n'.repeat(64))), answer('c1'))],
  ['empty arguments object', request(user, calls(call('c1', 'now', '{}')), answer('c1'))],
]

const illegal: readonly Illegal[] = [
  [
    'tool-calls',
    'messages[1].tool_calls',
    'an empty list of calls',
    request(user, { role: 'assistant', content: 'x', tool_calls: [] }),
  ],
  [
    'tool-calls',
    'messages[1].tool_calls',
    'calls that are null',
    request(user, { role: 'assistant', content: 'x', tool_calls: null }),
  ],
  [
    'tool-calls',
    'messages[1].tool_calls[0]',
    'a call without its type',
    request(
      user,
      { role: 'assistant', tool_calls: [{ id: 'c1', function: call('c1').function }] },
      answer('c1'),
    ),
  ],
  [
    'tool-calls',
    'messages[1].tool_calls[0]',
    'a call without a function',
    request(
      user,
      { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function' }] },
      answer('c1'),
    ),
  ],
  [
    'call-id',
    'messages[1].tool_calls[0].id',
    'an empty id',
    request(user, calls(call('')), answer('')),
  ],
  [
    'call-id',
    'messages[1].tool_calls[0].id',
    'an id of 41 characters',
    request(user, calls(call('c'.repeat(41))), answer('c'.repeat(41))),
  ],
  [
    'call-name',
    'messages[1].tool_calls[0].function.name',
    'a dot in a name',
    request(user, calls(call('c1', 'functions.lookup')), answer('c1')),
  ],
  [
    'call-name',
    'messages[1].tool_calls[0].function.name',
    'an empty name',
    request(user, calls(call('c1', '')), answer('c1')),
  ],
  [
    'call-name',
    'messages[1].tool_calls[0].function.name',
    'a name of 65 characters',
    request(user, calls(call('c1', 'n'.repeat(65))), answer('c1')),
  ],
  [
    'call-arguments',
    'messages[1].tool_calls[0].function.arguments',
    'arguments that are not JSON',
    request(user, calls(call('c1', 'a', '{"city" "Oslo"}')), answer('c1')),
  ],
  [
    'call-arguments',
    'messages[1].tool_calls[0].function.arguments',
    'empty arguments',
    request(user, calls(call('c1', 'a', '')), answer('c1')),
  ],
  [
    'call-arguments',
    'messages[1].tool_calls[0].function.arguments',
    'arguments that are an array',
    request(user, calls(call('c1', 'a', '[]')), answer('c1')),
  ],
  [
    'call-arguments',
    'messages[1].tool_calls[0].function.arguments',
    'arguments that are null',
    request(user, calls(call('c1', 'a', 'null')), answer('c1')),
  ],
]

testRules('the rules of calls', { legal, illegal })
