import { Argument, Command } from 'commander'
import { AgentClient } from '../../client/agent-client.js'
import { SessionError } from '../../client/errors/session-error.js'
import type { SessionHandle } from '../../client/session/session-handle.js'
import type { JsonObject } from '../../contract/json.js'
import { chat } from '../chat/chat.js'
import { CHAT_HELP } from '../chat/chat-command.js'
import { readLines } from '../chat/line-reader.js'
import { showSteps } from '../chat/live-steps.js'
import { DECISIONS } from '../chat/read-decision.js'
import { listenForInterrupt } from '../interrupt.js'
import { loadAgents } from '../load-agents.js'
import {
  agentsOption,
  connectOptions,
  contextOption,
  type ServerOptions,
  withServerOptions,
} from '../options.js'
import { startSpareWorker } from '../spare-worker.js'
import { line, styled, type Terminal } from '../terminal.js'
import { userName } from '../user-name.js'

interface ChatCommandOptions extends ServerOptions {
  readonly agents?: string
  readonly context?: JsonObject
  readonly id?: string
  readonly by?: string
}

/** `perdure chat <agent>` */
export function chatCommand(terminal: Terminal): Command {
  return withServerOptions(new Command('chat'))
    .description('hold a conversation with an agent, with its steps as they happen')
    .addArgument(new Argument('<agent>', 'name of the agent'))
    .addOption(agentsOption())
    .addOption(contextOption())
    .option('--id <id>', 'workflow id: the same id is the same conversation (default: a new one)')
    .option('--by <name>', 'who approves and answers; recorded (default: your user name)')
    .addHelpText(
      'after',
      `
Type a question; what is typed while it is answered is asked next. Ctrl-C leaves: the turn goes on in the
worker, and the same --id comes back to it. Lines may also come from a pipe.

${CHAT_HELP}

When a call waits for approval: ${DECISIONS}

  perdure chat after-sales --id customer-7 --context '{"customerId":"c7"}'`,
    )
    .action(async (agent: string, options: ChatCommandOptions) => {
      process.exitCode = await converse(agent, options, terminal)
    })
}

async function converse(
  agent: string,
  options: ChatCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const agents = options.agents === undefined ? [] : await loadAgents(options.agents)
  const client = await AgentClient.connect(connectOptions(options))
  const interrupt = listenForInterrupt()
  const { id, context, by = userName() } = options
  const session = await client.session(agent, {
    ...(id === undefined ? {} : { id }),
    ...(context === undefined ? {} : { context }),
  })
  const log = (text: string) => line(terminal.err, styled(terminal.err, 'dim', text))
  log(session.attached ? `session ${session.id}, where you left it` : `session ${session.id}`)
  const spare = startSpareWorker({
    client,
    run: { id: session.id, isWorked: () => isWorked(session) },
    agents,
    worker: connectOptions(options),
    log,
  })
  const { signal } = interrupt
  const lines = readLines(process.stdin, terminal.out, process.stdin.isTTY && terminal.out.isTTY)
  try {
    const from = await firstTurn(session)
    const steps = showSteps(session, terminal.out, { from, signal })
    await Promise.race([chat({ session, terminal, lines, steps, by, signal }), spare.failed])
    log(`come back: perdure chat ${agent} --id ${session.id}`)
    return signal.aborted ? await interrupt.code : 0
  } finally {
    lines.close()
    interrupt.stop()
    await spare.stop()
    await client.close()
  }
}

/** The turn from which on steps are shown: the running one, or the next. */
async function firstTurn(session: SessionHandle): Promise<number> {
  try {
    const { running, turns } = await session.status()
    return running ?? turns + 1
  } catch (error) {
    if (error instanceof SessionError && error.reason === 'no_worker') return 1
    throw error
  }
}

async function isWorked(session: SessionHandle): Promise<boolean> {
  return await session.status().then(
    () => true,
    () => false,
  )
}
