import { answer, call, calls, request, user } from './conversation.js'
import { type Illegal, type Legal, testRules } from './rules.js'

const legal: readonly Legal[] = [
  ['max_completion_tokens alone', { ...request(user), max_completion_tokens: 10 }],
  ['max_tokens alone', { ...request(user), max_tokens: 10 }],
  ['unknown top-level fields', { ...request(user), top_k: 4, chat_template_kwargs: { a: null } }],
  ['whole surrogate pairs', request({ role: 'user', content: '😀' })],
]

const illegal: readonly Illegal[] = [
  ['body', '', 'a body that is an array', []],
  ['body', '', 'a body that is null', null],
  ['model', 'model', 'no model', { messages: [user] }],
  ['model', 'model', 'a model that is no string', { model: 1, messages: [user] }],
  [
    'well-formed',
    'messages[0].content',
    'half a surrogate pair',
    JSON.parse('{"model":"m","messages":[{"role":"user","content":"x\\ud83d"}]}'),
  ],
  [
    'well-formed',
    'metadata',
    'half a surrogate pair in a key',
    { ...request(user), metadata: { '\ude00': 'x' } },
  ],
  [
    'well-formed',
    'messages[1].tool_calls[0].function.arguments.id',
    'half a pair spelled in arguments',
    request(user, calls(call('c1', 'a', '{"id":"\\ud83d"}')), answer('c1')),
  ],
  [
    'finite',
    'temperature',
    'a number too large for JSON',
    JSON.parse('{"model":"m","messages":[{"role":"user","content":"x"}],"temperature":1e999}'),
  ],
  ['finite', 'top_p', 'NaN', { ...request(user), top_p: Number.NaN }],
  [
    'max-tokens',
    'max_tokens',
    'both limits of tokens',
    { ...request(user), max_tokens: 1, max_completion_tokens: 1 },
  ],
]

testRules('the rules of the whole body', { legal, illegal })
