import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { devSession } from '../../src/cli/dev-session.js'
import { exitWhenWritten } from '../../src/cli/exit.js'
import { exitCodeOfError } from '../../src/cli/exit-codes.js'
import { line, styled } from '../../src/cli/terminal.js'
import { modelConfig } from '../../src/config.js'
import { startModelServer } from '../../src/testing/index.js'
import { settingsFromEnv } from './database.js'
import { standInReply } from './stand-in-model.js'

const HELP = `npm start -- [question] [--customer <id>] [--once]

Starts a Temporal server and a worker, and asks the after-sales agent one question. On a terminal
everything stays up for the Temporal UI until Ctrl-C.

  --customer <id>  who is asking (default: c7)
  --once           stop everything after the run

The model: OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL; without them a rule-based stand-in that
comes with this example.`

const QUESTION =
  'Why has order A1001 not shipped? If it is late, refund it and email me. Keep it short.'

/** The parts of `npm start`: a stand-in for the model where none is configured, then a dev session. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      customer: { type: 'string', default: 'c7' },
      once: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(`${HELP}\n`)
    return 0
  }
  const { url, dir } = settingsFromEnv()
  say('database', url === undefined ? `embedded PostgreSQL (PGlite) in ${dir}` : 'DATABASE_URL')
  const standIn = await startStandIn()
  try {
    return await devSession({
      agents: fileURLToPath(new URL('./agents.ts', import.meta.url)),
      run: {
        agent: 'after-sales',
        input: positionals.join(' ') || QUESTION,
        context: { customerId: values.customer },
      },
      once: values.once || !process.stdout.isTTY || !process.stdin.isTTY,
      ...(standIn === undefined ? {} : { workerEnv: { OPENAI_BASE_URL: standIn.url } }),
      terminal: { out: process.stdout, err: process.stderr },
    })
  } finally {
    await standIn?.close()
  }
}

async function startStandIn() {
  const { apiKey, baseURL } = modelConfig()
  if (apiKey !== undefined || baseURL !== undefined) return undefined
  say('model', 'no OPENAI_API_KEY or OPENAI_BASE_URL: a rule-based stand-in, no language model')
  return await startModelServer({ respond: standInReply })
}

function say(what: string, text: string): void {
  line(process.stderr, `${styled(process.stderr, 'dim', what.padEnd(9))} ${text}`)
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = exitCodeOfError(error)
}
await exitWhenWritten({ out: process.stdout, err: process.stderr })
