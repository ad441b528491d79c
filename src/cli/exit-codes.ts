import { CommanderError } from 'commander'
import { ForkError } from '../client/errors/fork-error.js'
import { InputMismatchError } from '../client/errors/input-mismatch-error.js'
import { InvalidInputError } from '../client/errors/invalid-input-error.js'
import { MissingAttributeError } from '../client/errors/missing-attribute-error.js'
import { RetryError } from '../client/errors/retry-error.js'
import { RunNotFoundError } from '../client/errors/run-not-found-error.js'
import { RunOpenError } from '../client/errors/run-open-error.js'
import type { StopReason } from '../contract/run.js'
import { DefinitionError } from '../definition/definition-error.js'
import { HistoryFileError } from '../replay/errors/history-file-error.js'
import { MissingConverterError } from '../replay/errors/missing-converter-error.js'
import { MissingModelError } from '../worker/missing-model-error.js'
import { UsageError } from './usage-error.js'

/** Exit codes of every command. */
export const EXIT = {
  answered: 0,
  /** A run failed or was cancelled, or something went wrong on the way. */
  failed: 1,
  /** The command was called wrongly; nothing was started. */
  usage: 2,
  /** A run completed with another stop reason than `answered`. */
  stopped: 3,
} as const

const USAGE_ERRORS = [
  CommanderError,
  DefinitionError,
  ForkError,
  HistoryFileError,
  InputMismatchError,
  InvalidInputError,
  MissingAttributeError,
  MissingConverterError,
  MissingModelError,
  RetryError,
  RunNotFoundError,
  RunOpenError,
  UsageError,
] as const

/** The exit code of a run that completed. */
export function exitCodeOf(stopReason: StopReason): number {
  return stopReason === 'answered' ? EXIT.answered : EXIT.stopped
}

/** The exit code of a command that threw. */
export function exitCodeOfError(error: unknown): number {
  return USAGE_ERRORS.some((type) => error instanceof type) ? EXIT.usage : EXIT.failed
}
