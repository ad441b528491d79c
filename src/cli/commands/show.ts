import { Argument, Command } from 'commander'
import { AgentClient } from '../../client/agent-client.js'
import { AgentLimitError } from '../../client/errors/agent-limit-error.js'
import type { Transcript } from '../../client/history/transcript.js'
import type { RunHandle, RunStatus } from '../../client/run-handle.js'
import type { RunResult } from '../../contract/run.js'
import { EXIT, exitCodeOf } from '../exit-codes.js'
import { listenForInterrupt } from '../interrupt.js'
import { type NextStep, nextSteps } from '../next-steps.js'
import { connectOptions, jsonOption, type ServerOptions, withServerOptions } from '../options.js'
import { printResult } from '../print-run.js'
import { printPending, printUsage, transcriptPrinter } from '../print-transcript.js'
import { json, line, styled, type Terminal } from '../terminal.js'

interface ShowOptions extends ServerOptions {
  readonly follow?: boolean
  readonly full?: boolean
  readonly json?: boolean
}

/** `perdure show <id>` */
export function showCommand(terminal: Terminal): Command {
  return withServerOptions(new Command('show'))
    .description('show a run from the question to its end, read from its history (needs no worker)')
    .addArgument(new Argument('<id>', 'workflow id of the run'))
    .option('--follow', 'go on until the run ends; Ctrl-C leaves the run alone')
    .option('--full', 'long arguments, observations and summaries in whole')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Exit code: 0 answered or running · 3 completed with another stop reason · 1 failed or cancelled`,
    )
    .action(async (id: string, options: ShowOptions) => {
      const client = await AgentClient.connect(connectOptions(options))
      try {
        process.exitCode = await show(client.get(id), options, terminal)
      } finally {
        await client.close()
      }
    })
}

/** How a run ended. */
interface End {
  readonly result?: RunResult
  readonly error?: unknown
  readonly next: readonly NextStep[]
  readonly code: number
}

async function show(
  run: RunHandle,
  { follow = false, full = false, json: asJson = false }: ShowOptions,
  { out, err }: Terminal,
): Promise<number> {
  const print = transcriptPrinter(out, { full, id: run.id })
  const interrupt = follow ? listenForInterrupt() : undefined
  try {
    const transcript = await run.transcript({
      follow,
      ...(interrupt === undefined ? {} : { signal: interrupt.signal }),
      ...(asJson ? {} : { onChange: print.change }),
    })
    if (interrupt?.signal.aborted) {
      line(err, `The run goes on: perdure show ${run.id} --follow`)
      return await interrupt.code
    }
    const status = await run.status()
    const end = status.status === 'running' ? undefined : await endOf(run, transcript)
    if (asJson) {
      json(out, document(run, status, { transcript, end }))
    } else {
      print.open(transcript)
      printEnd(out, status, { transcript, end })
      if (run.url !== undefined) line(out, styled(out, 'dim', run.url))
    }
    return end?.code ?? EXIT.answered
  } finally {
    interrupt?.stop()
  }
}

async function endOf(run: RunHandle, { steps }: Transcript): Promise<End> {
  try {
    const result = await run.result()
    return { result, next: [], code: exitCodeOf(result.stopReason) }
  } catch (error) {
    const next = nextSteps(run.id, error, steps.at(-1)?.step ?? 0)
    return { error, next, code: EXIT.failed }
  }
}

interface Shown {
  readonly transcript: Transcript
  /** Left out while the run is open. */
  readonly end: End | undefined
}

function document(run: RunHandle, status: RunStatus, { transcript, end }: Shown): object {
  const { name, message } = asError(end?.error)
  return {
    id: run.id,
    url: run.url,
    status: status.status,
    startedAt: startOf(status, transcript),
    closedAt: status.closedAt,
    ...(end?.result === undefined ? {} : { result: end.result }),
    ...(end?.error === undefined
      ? {}
      : { error: { ...(end.error as object), name, message }, next: end.next }),
    ...(end === undefined ? { pending: status.pending } : {}),
    ...transcript,
  }
}

function printEnd(out: NodeJS.WriteStream, status: RunStatus, { transcript, end }: Shown): void {
  if (end === undefined) printOpen(out, status, transcript)
  else if (end.result === undefined) printFailure(out, status, end)
  else {
    const ms = (status.closedAt?.getTime() ?? 0) - startOf(status, transcript).getTime()
    printResult(out, end.result, ms / 1000)
  }
  printUsage(out, transcript)
  if (end === undefined || end.next.length === 0) return
  line(out)
  line(out, 'What can be done:')
  for (const { command, why } of end.next) {
    line(out, `  ${styled(out, 'cyan', command)}`)
    line(out, styled(out, 'dim', `    ${why}`))
  }
}

function printOpen(out: NodeJS.WriteStream, status: RunStatus, transcript: Transcript): void {
  line(out)
  line(out, `running since ${startOf(status, transcript).toISOString()}`)
  printPending(out, status.pending)
  if (transcript.stuck === null) return
  line(out, styled(out, 'red', `  the workflow code fails: ${transcript.stuck}`))
  line(out, '  The run goes on by itself once a worker has code that works.')
}

function printFailure(out: NodeJS.WriteStream, { status }: RunStatus, { error }: End): void {
  line(out)
  line(out, styled(out, 'red', `${status}: ${asError(error).message}`))
  if (error instanceof AgentLimitError && error.partial.answer !== '') {
    line(out, `so far: ${error.partial.answer}`)
  }
}

/** When the first execution of a chain began, or the first step that is left of it. */
function startOf({ startedAt }: RunStatus, { steps, asides }: Transcript): Date {
  const times = [startedAt, ...[steps[0], asides[0]].flatMap((one) => (one ? [one.startedAt] : []))]
  return new Date(Math.min(...times.map((time) => time.getTime())))
}

function asError(error: unknown): { readonly name: string; readonly message: string } {
  return error instanceof Error ? error : new Error(String(error))
}
