import { CommanderError, InvalidArgumentError } from 'commander'
import { expect, it } from 'vitest'
import { EXIT, exitCodeOf, exitCodeOfError } from '../../../src/cli/exit-codes.js'
import { UsageError } from '../../../src/cli/usage-error.js'
import { AgentLimitError } from '../../../src/client/errors/agent-limit-error.js'
import { AgentRunError } from '../../../src/client/errors/agent-run-error.js'
import { InputMismatchError } from '../../../src/client/errors/input-mismatch-error.js'
import { InvalidInputError } from '../../../src/client/errors/invalid-input-error.js'
import { RunCancelledError } from '../../../src/client/errors/run-cancelled-error.js'
import { RunNotFoundError } from '../../../src/client/errors/run-not-found-error.js'
import { RunOpenError } from '../../../src/client/errors/run-open-error.js'
import type { RunResult, StopReason } from '../../../src/contract/run.js'
import { DefinitionError } from '../../../src/definition/definition-error.js'
import { MissingModelError } from '../../../src/worker/missing-model-error.js'

it('the codes are those of the help', () => {
  expect(EXIT).toEqual({ answered: 0, failed: 1, usage: 2, stopped: 3 })
})

it.each<[StopReason, number]>([
  ['answered', 0],
  ['max_steps', 3],
  ['repeats', 3],
  ['tool_errors', 3],
  ['refusal', 3],
  ['content_filter', 3],
  ['empty_reply', 3],
  ['context_length', 3],
])('a run that stopped by %s ends with %i', (reason, code) => {
  expect(exitCodeOf(reason)).toBe(code)
})

it.each([
  new UsageError('x'),
  new CommanderError(1, 'commander.unknownOption', 'x'),
  new InvalidArgumentError('x'),
  new DefinitionError('x'),
  new InputMismatchError('r'),
  new InvalidInputError('x'),
  new MissingModelError('support', 'gpt', []),
  new RunNotFoundError('r', 'default'),
  new RunOpenError('r'),
])('$name is a wrong call: 2', (error) => {
  expect(exitCodeOfError(error)).toBe(2)
})

it.each([
  new Error('no connection'),
  new AgentRunError('r', { reason: 'model_error' }, { message: 'x' }),
  new AgentLimitError('r', 'max_steps', { steps: 1 } as RunResult),
  new RunCancelledError('r'),
  'text',
  undefined,
])('%s is a failure: 1', (error) => {
  expect(exitCodeOfError(error)).toBe(1)
})
