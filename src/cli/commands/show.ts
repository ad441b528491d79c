import { Argument, Command } from 'commander'
import { AgentClient } from '../../client/agent-client.js'
import type { RunHandle } from '../../client/run-handle.js'
import { EXIT, exitCodeOf } from '../exit-codes.js'
import { connectOptions, jsonOption, type ServerOptions, withServerOptions } from '../options.js'
import { printResult, stepPrinter } from '../print-run.js'
import { json, line, styled, type Terminal } from '../terminal.js'

interface ShowOptions extends ServerOptions {
  readonly json?: boolean
}

/** `perdure show <id>` */
export function showCommand(terminal: Terminal): Command {
  return withServerOptions(new Command('show'))
    .description('show the steps and the end of a run, read from its history (needs no worker)')
    .addArgument(new Argument('<id>', 'workflow id of the run'))
    .addOption(jsonOption())
    .action(async (id: string, options: ShowOptions) => {
      const client = await AgentClient.connect(connectOptions(options))
      try {
        const run = client.get(id)
        process.exitCode = options.json
          ? await showJson(run, terminal)
          : await showText(run, terminal)
      } finally {
        await client.close()
      }
    })
}

async function showJson(run: RunHandle, { out }: Terminal): Promise<number> {
  const { status, startedAt, closedAt } = await run.status()
  const steps = await run.steps()
  const end = status === 'running' ? undefined : await endOf(run)
  json(out, { id: run.id, url: run.url, status, startedAt, closedAt, ...end?.fields, steps })
  return end?.code ?? EXIT.answered
}

async function showText(run: RunHandle, { out }: Terminal): Promise<number> {
  const { status, startedAt, closedAt } = await run.status()
  const print = stepPrinter(out)
  for (const step of await run.steps()) print(step)
  if (status === 'running') {
    line(out, `running since ${startedAt.toISOString()}`)
    return EXIT.answered
  }
  const end = await endOf(run)
  if (end.result !== undefined) {
    printResult(out, end.result, ((closedAt?.getTime() ?? 0) - startedAt.getTime()) / 1000)
  } else {
    line(out, styled(out, 'red', `${status}: ${end.fields.error?.message ?? ''}`))
  }
  if (run.url !== undefined) line(out, styled(out, 'dim', run.url))
  return end.code
}

async function endOf(run: RunHandle) {
  try {
    const result = await run.result()
    return { result, fields: { result, error: undefined }, code: exitCodeOf(result.stopReason) }
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    return {
      result: undefined,
      fields: { result: undefined, error: { name, message } },
      code: EXIT.failed,
    }
  }
}
