import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textCall } from '../../../src/activities/text-call.js'

const JSON_CALL = '{"name":"weather","arguments":{"city":"Oslo"}}'
const CALL = { name: 'weather', arguments: { city: 'Oslo' } }

describe('a text that is one call (B11)', () => {
  it.each([
    JSON_CALL,
    `  ${JSON_CALL}\n`,
    `<tool_call>${JSON_CALL}</tool_call>`,
    `<tool_call>\n${JSON_CALL}\n</tool_call>`,
    `\n<tool_call>\n  ${JSON_CALL}  </tool_call>\n`,
    `\`\`\`json\n${JSON_CALL}\n\`\`\``,
    `\`\`\`\n${JSON_CALL}\n\`\`\``,
    '{"name":"weather","parameters":{"city":"Oslo"}}',
    '{"type":"function","name":"weather","arguments":{"city":"Oslo"}}',
    '{"type":"function","function":{"name":"weather","arguments":{"city":"Oslo"}}}',
    '{"id":"c1","type":"function","function":{"name":"weather","arguments":{"city":"Oslo"}}}',
    '{\n  "name": "weather",\n  "arguments": {\n    "city": "Oslo"\n  }\n}',
  ])('is that call: %s', (text) => {
    expect(textCall(text)).toEqual(CALL)
  })

  it('may have its arguments as a text, which is read later', () => {
    expect(textCall('{"name":"weather","arguments":"{\\"city\\":\\"Oslo\\"}"}')).toEqual({
      name: 'weather',
      arguments: '{"city":"Oslo"}',
    })
  })

  it.each(['__proto__', 'constructor'])('may call %s: names are nothing special here', (name) => {
    expect(textCall(`{"name":"${name}","arguments":{}}`)).toEqual({ name, arguments: {} })
  })
})

describe('a text that is no call', () => {
  it.each([
    ['prose', 'It is sunny in Oslo.'],
    ['prose that quotes a call', `You could send ${JSON_CALL} to get the weather.`],
    ['prose before a call', `I shall call it now: ${JSON_CALL}`],
    ['prose after a call', `${JSON_CALL}\nDone.`],
    ['prose before a tagged call', `Sure! <tool_call>${JSON_CALL}</tool_call>`],
    ['prose after a tagged call', `<tool_call>${JSON_CALL}</tool_call> Done.`],
    ['prose around a fence', `For example:\n\`\`\`json\n${JSON_CALL}\n\`\`\``],
    ['a quoted call', JSON.stringify(JSON_CALL)],
    ['a call in a list', `[${JSON_CALL}]`],
    ['two calls', `${JSON_CALL}${JSON_CALL}`],
    ['two calls on two lines', `${JSON_CALL}\n${JSON_CALL}`],
    ['two tagged calls', `<tool_call>${JSON_CALL}</tool_call><tool_call>${JSON_CALL}</tool_call>`],
    ['an open tag', `<tool_call>${JSON_CALL}`],
    ['another tag', `<tool>${JSON_CALL}</tool>`],
    ['a cut call', JSON_CALL.slice(0, -1)],
    ['data that has a name', '{"name":"Ada","age":36}'],
    ['data with more beside', '{"name":"weather","arguments":{},"note":"an example"}'],
    ['a name without arguments', '{"name":"weather"}'],
    ['arguments without a name', '{"arguments":{"city":"Oslo"}}'],
    ['a name that is no text', '{"name":7,"arguments":{}}'],
    ['no arguments at all', '{"name":"weather","arguments":null}'],
    ['an odd function', '{"function":"weather","arguments":{}}'],
    ['null', 'null'],
    ['a number', '7'],
    ['a list', '[]'],
    ['nothing', ''],
    ['an empty tag', '<tool_call></tool_call>'],
  ])('is the answer: %s', (_what, text) => {
    expect(textCall(text)).toBeNull()
  })
})

it('any text is a call or none: nothing is thrown', () => {
  const bits = fc.constantFrom(
    '<tool_call>',
    '</tool_call>',
    '```',
    'json',
    JSON_CALL,
    '{',
    '}',
    ' ',
  )
  const text = fc.array(fc.oneof(bits, fc.string())).map((list) => list.join(''))
  return fc.assert(
    fc.property(text, (value) => {
      const call = textCall(value)
      expect(call === null || typeof call.name === 'string').toBe(true)
    }),
  )
})
