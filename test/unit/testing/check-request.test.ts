import { expect, test } from 'vitest'
import { checkRequest } from '../../../src/testing/index.js'
import { answer, call, calls, request, user } from './conversation.js'

function rulesBroken(body: unknown): string[] {
  return checkRequest(body).map(({ rule }) => rule)
}

test('reports every fault of a body at once', () => {
  const body = { messages: [{ role: 'user', content: 1 }], tools: [] }
  expect(rulesBroken(body)).toEqual(['model', 'content', 'tools'])
})

test('reports a call as unanswered when its answer names no call', () => {
  const body = request(user, calls(call('c1')), { role: 'tool', content: 'x' })
  expect(rulesBroken(body)).toEqual(['call-id', 'unanswered-call'])
})

test('reports both sides of an answer that comes after a user message', () => {
  const body = request(user, calls(call('c1')), user, answer('c1'))
  expect(rulesBroken(body)).toEqual(['unanswered-call', 'answer-without-call'])
})

test('survives a body that is nested deeper than the stack', () => {
  let deep: unknown = 'x'
  for (let i = 0; i < 200_000; i++) deep = [deep]
  expect(checkRequest({ ...request(user), metadata: deep })).toEqual([])
})
