import { answer, call, calls, request, tool, user } from './conversation.js'
import { type Illegal, type Legal, testRules } from './rules.js'

const legal: readonly Legal[] = [
  [
    'a call of a tool that is not offered',
    { ...request(user, calls(call('c1', 'gone')), answer('c1')), tools: [tool('a')] },
  ],
  [
    'tools with choice and parallel calls off',
    {
      ...request(user),
      tools: [tool('a'), tool('b')],
      tool_choice: { type: 'function', function: { name: 'b' } },
      parallel_tool_calls: false,
    },
  ],
  [
    'a tool without a description',
    {
      ...request(user),
      tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'object' } } }],
    },
  ],
]

const illegal: readonly Illegal[] = [
  ['tools', 'tools', 'an empty list of tools', { ...request(user), tools: [] }],
  ['tools', 'tools', 'tools that are null', { ...request(user), tools: null }],
  [
    'tools',
    'tools[0]',
    'a tool without a type',
    { ...request(user), tools: [{ function: { name: 'a', parameters: { type: 'object' } } }] },
  ],
  [
    'tools',
    'tools[0].function.description',
    'a description that is null',
    {
      ...request(user),
      tools: [
        {
          type: 'function',
          function: { name: 'a', description: null, parameters: { type: 'object' } },
        },
      ],
    },
  ],
  [
    'tool-name',
    'tools[0].function.name',
    'a space in a tool name',
    { ...request(user), tools: [tool('look up')] },
  ],
  [
    'duplicate-tool',
    'tools[1].function.name',
    'two tools of one name',
    { ...request(user), tools: [tool('a'), tool('a')] },
  ],
  [
    'tool-parameters',
    'tools[0].function.parameters',
    'a tool without parameters',
    { ...request(user), tools: [{ type: 'function', function: { name: 'a' } }] },
  ],
  [
    'tool-parameters',
    'tools[0].function.parameters',
    'a root union',
    {
      ...request(user),
      tools: [{ type: 'function', function: { name: 'a', parameters: { anyOf: [] } } }],
    },
  ],
  [
    'needs-tools',
    'tool_choice',
    'tool_choice without tools',
    { ...request(user), tool_choice: 'none' },
  ],
  [
    'needs-tools',
    'parallel_tool_calls',
    'parallel_tool_calls without tools',
    { ...request(user), parallel_tool_calls: false },
  ],
  [
    'needs-tools',
    'tool_choice.function.name',
    'a choice of a tool that is not there',
    {
      ...request(user),
      tools: [tool('a')],
      tool_choice: { type: 'function', function: { name: 'b' } },
    },
  ],
]

testRules('the rules of tools', { legal, illegal })
