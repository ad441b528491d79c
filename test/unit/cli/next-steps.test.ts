import { expect, it } from 'vitest'
import { nextSteps } from '../../../src/cli/next-steps.js'
import { AgentLimitError } from '../../../src/client/errors/agent-limit-error.js'
import { AgentRunError, type RunErrorReason } from '../../../src/client/errors/agent-run-error.js'
import { RunCancelledError } from '../../../src/client/errors/run-cancelled-error.js'
import type { LimitReason, RunResult } from '../../../src/contract/run.js'

function commands(error: unknown, lastStep = 3, id = 'ticket-42'): string[] {
  return nextSteps(id, error, lastStep).map(({ command }) => command)
}

function failed(reason: RunErrorReason, step?: number): AgentRunError {
  const detail = { reason, ...(step === undefined ? {} : { step }) }
  return new AgentRunError('ticket-42', detail, { message: 'down' })
}

it.each<[RunErrorReason, number | undefined, readonly string[]]>([
  [
    'model_error',
    2,
    [
      'perdure retry ticket-42',
      'perdure fork ticket-42 --step 2 --model <model>',
      'perdure replay ticket-42 --step 2 --prompt',
    ],
  ],
  [
    'tool_failure',
    2,
    ['perdure retry ticket-42', 'perdure fork ticket-42 --step 2 --instructions <file>'],
  ],
  ['definition_error', 0, ['perdure doctor --agents <file>']],
  ['state_too_large', 9, ['perdure fork ticket-42 --step 9']],
  ['terminated', undefined, ['perdure retry ticket-42']],
  ['timed_out', undefined, ['perdure retry ticket-42']],
  ['failed', undefined, ['perdure replay ticket-42', 'perdure retry ticket-42']],
])('after %s in step %s', (reason, step, expected) => {
  expect(commands(failed(reason, step))).toEqual(expected)
})

it.each<[LimitReason, string]>([
  ['max_steps', `--limits '{"maxSteps": …}'`],
  ['token_budget', `--limits '{"maxTokens": …}'`],
  ['cost_budget', `--limits '{"maxCostUsd": …}'`],
  ['deadline', `--limits '{"deadlineMs": …}'`],
  ['repeats', '--instructions <file>'],
  ['tool_errors', '--instructions <file>'],
])('a retry cannot cure %s, so a fork is named', (reason, change) => {
  const partial = { steps: 3 } as RunResult
  expect(commands(new AgentLimitError('ticket-42', reason, partial))).toEqual([
    `perdure fork ticket-42 --step 3 ${change}`,
  ])
})

it('a cancelled run may go on, and an unknown end can be looked at', () => {
  expect(commands(new RunCancelledError('ticket-42'))).toEqual(['perdure retry ticket-42'])
  expect(commands(new Error('down'))).toEqual(['perdure replay ticket-42'])
})

it('an id is written as a shell takes it', () => {
  const error = new RunCancelledError('x')
  expect(commands(error, 1, "o'brien 4")).toEqual([`perdure retry 'o'\\''brien 4'`])
})
