import { expect, test } from 'vitest'
import { nextPages, readList } from '../../../bench/page-list.js'
import { nextMove, nextMoveOfPart, pageText, readPages } from '../../../bench/workload.js'

test('the stand-in reads page after page, then answers what the task expects', () => {
  const { question, answer } = readPages(2)
  expect(nextMove(question, [])).toEqual({ page: 1 })
  expect(nextMove(question, [pageText(1)])).toEqual({ page: 2 })
  expect(nextMove(question, [pageText(1), pageText(2)])).toEqual({ answer })
})

test('a prompt that lacks an observation, or has a wrong one, ends the benchmark', () => {
  const { question } = readPages(5)
  expect(() => nextMove(question, [pageText(2)])).toThrow('does not end with page 1')
  expect(() => nextMoveOfPart(question, [`${pageText(3)}!`])).toThrow('does not end with page 3')
})

test('where the older part was left out, the newest observation tells the place', () => {
  const { question } = readPages(5)
  expect(nextMoveOfPart(question, [pageText(3)])).toEqual({ page: 4 })
  expect(nextMoveOfPart(question, [])).toEqual({ page: 1 })
})

test('a list is read in its order, so many pages a step, each observation checked', () => {
  const { question, answer, steps } = readList('list', [4, 2, 4], 2)
  expect(steps).toBe(2)
  expect(nextPages(question, [])).toEqual({ pages: [4, 2] })
  expect(nextPages(question, [pageText(4), pageText(2)])).toEqual({ pages: [4] })
  expect(nextPages(question, [4, 2, 4].map(pageText))).toEqual({ answer })
  expect(() => nextPages(question, [pageText(2)])).toThrow("observation 1 is another page's")
  expect(nextPages(readPages(3).question, [])).toBeNull()
})
