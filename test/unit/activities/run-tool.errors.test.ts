import { ApplicationFailure } from '@temporalio/activity'
import { describe, expect, it } from 'vitest'
import { ToolError } from '../../../src/definition/tool-error.js'
import { activity, doing, input, throwing } from './acting-tool.js'
import { attempt, rejection } from './attempt.js'

const READ = { readOnlyHint: true }

describe('a ToolError', () => {
  it('is told to the model and is no failure', async () => {
    const outcome = await attempt().run(activity(throwing(new ToolError('no order A9'))), input())
    expect(outcome.error).toBe(true)
    expect(JSON.parse(outcome.text)).toEqual({
      status: 'error',
      error_type: 'tool_error',
      message: 'no order A9',
      retryable: false,
    })
  })

  it.each([{}, READ])('that is retryable is retried, whatever the tool (%j)', async (hints) => {
    const tool = throwing(new ToolError('busy', { retryable: true }), hints)
    expect(await rejection(attempt().run(activity(tool), input()))).toMatchObject({
      name: 'ApplicationFailure',
      type: 'ToolError',
      message: 'busy',
      nonRetryable: false,
    })
  })

  it('of 3 MB and half a surrogate pair is cut and mended', async () => {
    const message = `\ud83d${'x'.repeat(3_000_000)}END`
    const said = await attempt().run(activity(throwing(new ToolError(message))), input())
    expect(said.text.length).toBeLessThan(2_200)
    expect(said.text).toContain('\ufffdx')
    expect(said.text).toContain('END')
    const again = throwing(new ToolError(message, { retryable: true }))
    const failure = await rejection(attempt().run(activity(again), input()))
    expect(failure instanceof Error && failure.message.length).toBeLessThanOrEqual(2_000)
  })

  it('shows nothing of its cause', async () => {
    const error = new ToolError('not now', { cause: new Error('hunter2') })
    const { text } = await attempt().run(activity(throwing(error)), input())
    expect(text).not.toContain('hunter2')
  })
})

describe('any other error', () => {
  const leak = () => new TypeError('connect postgres://app:hunter2@10.0.0.5/db failed')

  it.each([
    ['read-only', { readOnlyHint: true }, false],
    ['idempotent', { idempotentHint: true }, false],
    ['destructive', { destructiveHint: true }, true],
    ['not annotated', {}, true],
  ])('of a tool that is %s is final: only if it may have written', async (_what, hints, final) => {
    const { run } = attempt()
    expect(await rejection(run(activity(throwing(leak(), hints)), input()))).toMatchObject({
      type: 'ToolFailed',
      nonRetryable: final,
    })
  })

  it('is generic in the failure, its details are in the log alone', async () => {
    const error = leak()
    const { run, logged } = attempt()
    const failure = await rejection(run(activity(throwing(error)), input()))
    expect(failure).toBeInstanceOf(ApplicationFailure)
    expect(failure).toMatchObject({
      message: "act threw TypeError; the worker's log has the details",
      cause: undefined,
    })
    expect(JSON.stringify(failure)).not.toContain('hunter2')
    expect(logged).toEqual([
      { message: 'tool failed', meta: expect.objectContaining({ tool: 'act', error }) },
    ])
  })

  it.each(['a text', null, undefined, 7, { message: 'x' }])(
    'may be anything: %j',
    async (thrown) => {
      expect(await rejection(attempt().run(activity(throwing(thrown)), input()))).toMatchObject({
        type: 'ToolFailed',
        message: `act threw ${typeof thrown}; the worker's log has the details`,
      })
    },
  )

  it('is what a rejected promise brings as well', async () => {
    const tool = doing(() => Promise.reject(leak()), READ)
    expect(await rejection(attempt().run(activity(tool), input()))).toMatchObject({
      type: 'ToolFailed',
    })
  })
})
