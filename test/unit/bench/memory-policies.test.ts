import { expect, test } from 'vitest'
import {
  CONVERSATION,
  NEEDED_FACTS,
  OLD_FACT,
} from '../../../bench/scenarios/memory-policies/script.js'
import { summaryOf } from '../../../bench/scenarios/memory-policies/summary.js'

const said = CONVERSATION.map(({ answer }) => answer)

test('the last question can only be answered from what was said before', () => {
  const last = CONVERSATION.at(-1)
  expect(last?.calls).toEqual([])
  for (const fact of NEEDED_FACTS) {
    expect(said.slice(10, 14).join()).toContain(fact)
    expect(last?.question).not.toContain(fact)
  }
  expect(said[2]).toContain(OLD_FACT)
})

test('the stand-in for summaries keeps a note of each answer and of the last summary, and no results', () => {
  const text = summaryOf(
    [
      { role: 'user', kind: 'summary', text: 'Heading:\nNeighbour told.' },
      {
        role: 'assistant',
        text: '',
        calls: [{ name: 'lookup_order', args: {} }],
        turn: 1,
        step: 1,
      },
      { role: 'tool', id: 'a', text: 'a long result' },
      { role: 'assistant', text: said[0] ?? '', calls: [], turn: 1, step: 2 },
    ],
    100,
  )
  expect(text).toBe(`Neighbour told.\n${CONVERSATION[0]?.note}`)
})

test('its words have a limit: the oldest go first', () => {
  const answers = said
    .slice(0, 2)
    .map((text) => ({ role: 'assistant', text, calls: [], turn: 1, step: 1 }) as const)
  expect(summaryOf(answers, 4)).toBe(CONVERSATION[1]?.note)
})
