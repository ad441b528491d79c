import { expect, it } from 'vitest'
import { json, line, styled } from '../../../src/cli/terminal.js'
import { stream } from './streams.js'

it('a line ends in a line break, an empty one is nothing else', () => {
  const { stream: out, text } = stream()
  line(out, 'a')
  line(out)
  expect(text()).toBe('a\n\n')
})

it('a document is JSON that people can read', () => {
  const { stream: out, text } = stream()
  json(out, { a: [1], b: undefined })
  expect(text()).toBe('{\n  "a": [\n    1\n  ]\n}\n')
})

it('only a terminal with colours gets colours', () => {
  expect(styled(stream({ colours: true }).stream, 'red', 'x')).toBe('\u001b[31mx\u001b[39m')
  expect(styled(stream().stream, 'red', 'x')).toBe('x')
})
