import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { AgentLimitError } from '../client/errors/agent-limit-error.js'
import { AgentRunError } from '../client/errors/agent-run-error.js'
import { RunCancelledError } from '../client/errors/run-cancelled-error.js'
import { approveCommand } from './commands/approve.js'
import { cancelCommand } from './commands/cancel.js'
import { chatCommand } from './commands/chat.js'
import { devCommand } from './commands/dev.js'
import { diffCommand } from './commands/diff.js'
import { doctorCommand } from './commands/doctor.js'
import { exportCommand } from './commands/export.js'
import { forkCommand } from './commands/fork.js'
import { listCommand } from './commands/list.js'
import { replayCommand } from './commands/replay.js'
import { retryCommand } from './commands/retry.js'
import { runCommand } from './commands/run.js'
import { setupCommand } from './commands/setup.js'
import { showCommand } from './commands/show.js'
import { workerCommand } from './commands/worker.js'
import { EXIT, exitCodeOfError } from './exit-codes.js'
import { consoleToStderr } from './quiet.js'
import { json, line, styled, type Terminal } from './terminal.js'

/** Runs the command line `args` (without node and script) and sets the exit code. */
export async function main(args: readonly string[], terminal: Terminal): Promise<void> {
  try {
    if (args.includes('--json')) consoleToStderr()
    await program(terminal).parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = report(error, args, terminal)
  }
}

function program(terminal: Terminal): Command {
  const command = new Command('perdure')
    .description('LLM agents that survive crashes: run, show and work agent runs on Temporal')
    .version(version(), '--version')
    .addCommand(runCommand(terminal))
    .addCommand(chatCommand(terminal))
    .addCommand(approveCommand(terminal))
    .addCommand(showCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(replayCommand(terminal))
    .addCommand(exportCommand(terminal))
    .addCommand(cancelCommand(terminal))
    .addCommand(retryCommand(terminal))
    .addCommand(forkCommand(terminal))
    .addCommand(diffCommand(terminal))
    .addCommand(workerCommand(terminal))
    .addCommand(devCommand(terminal))
    .addCommand(setupCommand(terminal))
    .addCommand(doctorCommand(terminal))
  for (const each of [command, ...command.commands]) {
    each.exitOverride().configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
    })
    each.showHelpAfterError('(perdure --help, or perdure <command> --help, tells more)')
  }
  return command
}

/** Says what went wrong, once; with --json on stdout too, so that a script always reads a document. */
function report(error: unknown, args: readonly string[], { out, err }: Terminal): number {
  // Help and version are no errors.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.answered
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (args.includes('--json')) json(out, { error: { ...answerFields(error), name, message } })
  // commander has said it already.
  if (!(error instanceof CommanderError)) line(err, `${styled(err, 'red', 'error')}: ${message}`)
  return exitCodeOfError(error)
}

/** What the errors of a run tell beside their message: id, reason, step, partial work. */
function answerFields(error: unknown): object {
  const ofRun = [AgentLimitError, AgentRunError, RunCancelledError]
  return ofRun.some((type) => error instanceof type) ? { ...(error as object) } : {}
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
