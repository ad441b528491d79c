import { WorkflowFailedError } from '@temporalio/client'
import {
  ApplicationFailure,
  CancelledFailure,
  RetryState,
  TerminatedFailure,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common'
import { describe, expect, it } from 'vitest'
import { AgentLimitError } from '../../../src/client/errors/agent-limit-error.js'
import { AgentRunError } from '../../../src/client/errors/agent-run-error.js'
import { RunCancelledError } from '../../../src/client/errors/run-cancelled-error.js'
import { readFailure } from '../../../src/client/read-failure.js'

function ended(cause: Error | undefined): unknown {
  return readFailure(
    'r1',
    new WorkflowFailedError('failed', cause, RetryState.NON_RETRYABLE_FAILURE),
  )
}

function application(type: string, details: unknown[], message = 'model_error: HTTP 401: no') {
  return ApplicationFailure.create({ type, message, nonRetryable: true, details })
}

describe('how a run ended', () => {
  it('is a run error with the place of the failure', () => {
    const detail = { reason: 'tool_failure', turn: 1, step: 3, call: 2, activityId: '7' }
    const cause = application('AgentRunError', [detail], 'tool_failure: down')
    const error = ended(cause)
    expect(error).toBeInstanceOf(AgentRunError)
    expect(error).toMatchObject({
      id: 'r1',
      reason: 'tool_failure',
      step: 3,
      call: 2,
      activityId: '7',
      message: 'Run "r1" failed in step 3: tool_failure: down',
      cause,
    })
  })

  it('is a limit error with the partial work', () => {
    const partial = { answer: 'so far', stopReason: 'max_steps', steps: 3, usage: {} }
    const error = ended(application('AgentLimitError', [{ reason: 'max_steps', partial }]))
    expect(error).toBeInstanceOf(AgentLimitError)
    expect(error).toMatchObject({ id: 'r1', reason: 'max_steps', partial })
    expect(String(error)).toContain('after 3 steps')
  })

  it('is a cancellation', () => {
    const cause = new CancelledFailure('Workflow execution cancelled')
    expect(ended(cause)).toBeInstanceOf(RunCancelledError)
    expect(ended(cause)).toMatchObject({ id: 'r1', cause })
  })

  it.each([
    [new TerminatedFailure('by an operator'), 'terminated', 'by an operator'],
    [
      new TimeoutFailure('too long', undefined, TimeoutType.START_TO_CLOSE),
      'timed_out',
      'too long',
    ],
    [undefined, 'failed', 'failed'],
  ])('may be what Temporal did (row %#)', (cause, reason, message) => {
    const error = ended(cause)
    expect(error).toBeInstanceOf(AgentRunError)
    expect(error).toMatchObject({ reason, step: undefined, cause })
    expect(String(error)).toContain(`Run "r1" failed: ${message}`)
  })

  it.each([
    ['AgentRunError', []],
    ['AgentLimitError', [null]],
    ['AgentLimitError', ['text']],
    ['SomethingElse', [{ reason: 'model_error' }]],
  ])('%s with the details %j is a plain failure', (type, details) => {
    const error = ended(application(type, details))
    expect(error).toBeInstanceOf(AgentRunError)
    expect(error).toMatchObject({ reason: 'failed', step: undefined })
  })
})

it.each([new Error('no connection'), 'text', undefined])('%s stays as it is', (error) => {
  expect(readFailure('r1', error)).toBe(error)
})
