import { describe, expect, test } from 'vitest'
import { countReply, fallBack, modelOf } from '../../../src/agent/models.js'
import { stateOf } from './manifests.js'

const three = () => stateOf({ model: 'a', fallbackModels: ['b', 'c'] })

describe('the model that answers', () => {
  test('is the first until it falls back', () => {
    expect(modelOf(three())).toBe('a')
    expect(modelOf({ ...three(), fallback: 0 })).toBe('a')
  })

  test('is the next with each fall, as long as there is one', () => {
    const state = three()
    expect([fallBack(state), modelOf(state)]).toEqual([true, 'b'])
    expect([fallBack(state), modelOf(state)]).toEqual([true, 'c'])
    expect([fallBack(state), modelOf(state)]).toEqual([false, 'c'])
    expect([fallBack(state), modelOf(state)]).toEqual([false, 'c'])
  })

  test.each([undefined, []])('has none behind it where the list is %j', (fallbackModels) => {
    const state = stateOf(fallbackModels === undefined ? {} : { fallbackModels })
    expect(fallBack(state)).toBe(false)
    expect(modelOf(state)).toBe('test-model')
  })

  test('is kept when the run continues as new', () => {
    const state = three()
    fallBack(state)
    expect(modelOf(JSON.parse(JSON.stringify(state)))).toBe('b')
  })

  test('is the first one in the state of an old run, which says nothing of it', () => {
    const { fallback: _, replies: __, ...old } = three()
    expect(modelOf(old)).toBe('a')
  })
})

describe('the count of replies', () => {
  test('is kept by model', () => {
    const state = three()
    countReply(state, { tokens: null })
    countReply(state, { tokens: null })
    fallBack(state)
    countReply(state, { tokens: null })
    expect(state.replies).toEqual({ a: 2, b: 1 })
  })

  test('never changes an object that was given away', () => {
    const state = three()
    countReply(state, { tokens: null })
    const before = state.replies
    countReply(state, { tokens: null })
    expect(before).toEqual({ a: 1 })
  })

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'is a number for a model named %s',
    (name) => {
      const state = stateOf({ model: 'a', fallbackModels: [name] })
      countReply(state, { tokens: null })
      fallBack(state)
      countReply(state, { tokens: null })
      countReply(state, { tokens: null })
      expect(Object.entries(state.replies ?? {})).toEqual([
        ['a', 1],
        [name, 2],
      ])
    },
  )
})
