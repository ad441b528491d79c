import { expect, test } from 'vitest'
import { play } from './play.js'

test('the note of a repeated step lands on its last call that counts, not on a poll or a twin', async () => {
  let polls = 0
  const result = (letter: string) => (letter === 'P' ? `p${polls++}` : letter)
  expect((await play(['ABCDP', 'ABCDP'], { result })).notes).toEqual(['2.4'])
  expect((await play(['ABCDA', 'ABCDA'])).notes).toEqual(['2.4'])
})

test('one call whose observation flips between two values is no cycle', async () => {
  const result = (_: string, step: number) => `r${step % 2}`
  expect(await play([...'AAAAAA'], { result })).toMatchObject({ reason: 'answered', notes: [] })
})
