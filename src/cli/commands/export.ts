import { writeFile } from 'node:fs/promises'
import { Argument, Command } from 'commander'
import { AgentClient } from '../../client/agent-client.js'
import { modelConfig } from '../../config.js'
import { exportRun } from '../../replay/export-run.js'
import { fetchHistory } from '../../replay/fetch-history.js'
import { connectOptions, type ServerOptions, withServerOptions } from '../options.js'
import { line, type Terminal } from '../terminal.js'

interface ExportCommandOptions extends ServerOptions {
  readonly force?: boolean
}

/** `perdure export <id> [file]` */
export function exportCommand({ out, err }: Terminal): Command {
  return withServerOptions(new Command('export'))
    .description('write the history of a run, and its definition, into one file for perdure replay')
    .addArgument(new Argument('<id>', 'workflow id of the run'))
    .addArgument(new Argument('[file]', 'where to; "-" is stdout (default: <id>.json)'))
    .option('--force', 'although it holds what looks like a secret')
    .addHelpText(
      'after',
      `
Refuses, saying where, when the history holds what looks like a key, a token or a password, or the key that
is set here. Nothing is masked: a changed history would not be the record of the run any more.`,
    )
    .action(async (id: string, file: string | undefined, options: ExportCommandOptions) => {
      const client = await AgentClient.connect(connectOptions(options))
      try {
        const history = await fetchHistory(client.client, id)
        const exported = await exportRun(history, { ...options, secrets: secretsInUse() })
        const text = `${JSON.stringify(exported)}\n`
        if (file === '-') {
          out.write(text)
          return
        }
        const path = file ?? `${id.replace(/[^\w.-]+/g, '-')}.json`
        await writeFile(path, text)
        const events = history.executions.reduce((sum, one) => sum + one.events.length, 0)
        const count = `${events} events, ${Math.ceil(Buffer.byteLength(text) / 1_000)} kB`
        line(err, `${path} · ${count}`)
      } finally {
        await client.close()
      }
    })
}

function secretsInUse(): string[] {
  const { apiKey, baseURL } = modelConfig()
  const url = baseURL !== undefined && URL.canParse(baseURL) ? new URL(baseURL) : undefined
  return [apiKey, url?.password].filter(
    (secret) => secret !== undefined && secret !== '',
  ) as string[]
}
