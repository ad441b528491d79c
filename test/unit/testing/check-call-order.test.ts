import { answer, call, calls, request, user } from './conversation.js'
import { type Illegal, type Legal, testRules } from './rules.js'

const legal: readonly Legal[] = [
  [
    'answers in another order',
    request(user, calls(call('c1'), call('c2')), answer('c2'), answer('c1')),
  ],
  [
    'two rounds of calls',
    request(user, calls(call('c1')), answer('c1'), calls(call('c2')), answer('c2'), user),
  ],
]

const illegal: readonly Illegal[] = [
  [
    'duplicate-call-id',
    'messages[1].tool_calls[1].id',
    'one id twice in a message',
    request(user, calls(call('c1'), call('c1')), answer('c1')),
  ],
  [
    'duplicate-call-id',
    'messages[3].tool_calls[0].id',
    'an id of an earlier round',
    request(user, calls(call('c1')), answer('c1'), calls(call('c1')), answer('c1')),
  ],
  [
    'unanswered-call',
    'messages[1].tool_calls[1]',
    'one of two calls unanswered',
    request(user, calls(call('c1'), call('c2')), answer('c1'), user),
  ],
  [
    'unanswered-call',
    'messages[1].tool_calls[0]',
    'calls in the last message',
    request(user, calls(call('c1'))),
  ],
  ['answer-without-call', 'messages[1]', 'an answer without any call', request(user, answer('c1'))],
  [
    'answer-without-call',
    'messages[3]',
    'an answer to another id',
    request(user, calls(call('c1')), answer('c1'), answer('c9')),
  ],
  [
    'answer-without-call',
    'messages[5]',
    'an answer to an older round',
    request(user, calls(call('c1')), answer('c1'), calls(call('c2')), answer('c2'), answer('c1')),
  ],
  [
    'answered-twice',
    'messages[3]',
    'two answers to one call',
    request(user, calls(call('c1')), answer('c1'), answer('c1')),
  ],
]

testRules('the rules of the order of calls', { legal, illegal })
