import * as fc from 'fast-check'

const odd = fc.constantFrom('', ' \n', '\ud83d', 'half 😀'.slice(0, -1), '</tool_result>', '\u0000')
/** Any text that a model writes or a tool returns. */
export const text = fc.oneof(odd, fc.string(), fc.constant('Some text.'))
const args = fc.oneof(
  fc.constantFrom(
    '{"q":"x"}',
    '{}',
    '',
    '"{\\"q\\":\\"x\\"}"',
    '{"q":"x","limit":null}',
    '{"id":"001000101","page":null}',
    '{"id":"constructor","page":2}',
    '{"q"',
    '[]',
  ),
  fc.constantFrom('{"q":"x","tags":"[\\"a\\"]"}', '{"__proto__":1,"q":"\\ud83d"}', 'null', '7'),
  fc.json(),
  fc.constantFrom(undefined, null, 7, { q: 'x' }, []),
)
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('search', 'write', 'list', 'read_more') },
  fc.constantFrom('constructor', '__proto__', 'functions.search', 'lookup" />', '', 'serch'),
)
const call = fc.oneof(
  { weight: 6, arbitrary: fc.record({ function: fc.record({ name, arguments: args }) }) },
  fc.constantFrom(null, 5, {}, { function: null }),
)
const message = fc.record(
  {
    content: fc.oneof(text, fc.constantFrom(null, undefined, [{ type: 'text', text: 'part' }], 7)),
    refusal: fc.option(text),
    tool_calls: fc.option(fc.array(call, { maxLength: 4 })),
    function_call: fc.option(fc.record({ name, arguments: args })),
  },
  { requiredKeys: [] },
)
const finish_reason = fc.constantFrom(
  'stop',
  'tool_calls',
  'length',
  'content_filter',
  null,
  'x',
  5,
)
const usage = fc.constantFrom(undefined, null, {}, { prompt_tokens: 3, completion_tokens: 'x' })
/** What a server sends in the place of a completion. */
export const completion: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      choices: fc.array(fc.record({ message, finish_reason }), { minLength: 1, maxLength: 2 }),
      usage,
    }),
  },
  fc.constantFrom({}, { choices: [] }, '<html>', null, { error: { code: 'overloaded' } }),
  fc.constant({ error: { code: 'context_length_exceeded', message: 'too long' } }),
  fc.jsonValue(),
)
