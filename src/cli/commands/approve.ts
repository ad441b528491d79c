import { Argument, Command } from 'commander'
import { AgentClient } from '../../client/agent-client.js'
import type { RunHandle } from '../../client/run-handle.js'
import type { PendingRequest } from '../../contract/requests.js'
import { canAsk, confirm } from '../confirm.js'
import { type Decision, decisionText, sendDecision } from '../decision.js'
import { type DecisionOptions, decisionOf } from '../decision-options.js'
import { EXIT } from '../exit-codes.js'
import {
  connectOptions,
  jsonObject,
  jsonOption,
  type ServerOptions,
  withServerOptions,
} from '../options.js'
import { printRequest } from '../print-request.js'
import { json, line, type Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'
import { userName } from '../user-name.js'

interface ApproveOptions extends ServerOptions, DecisionOptions {
  readonly by?: string
  readonly json?: boolean
}

/** `perdure approve <id> [call]` */
export function approveCommand(terminal: Terminal): Command {
  return withServerOptions(new Command('approve'))
    .description('show what a run or a session waits for, and approve, deny or answer it')
    .addArgument(new Argument('<id>', 'workflow id of the run or the session'))
    .addArgument(new Argument('[call]', 'id of the call, as the list shows it'))
    .option('--list', 'only show what waits, and ask nothing')
    .option('--yes', 'approve the only call that waits, without asking')
    .option('--deny', 'do not let the call run; the model is told')
    .option('--reason <text>', 'why it is denied; the model reads it')
    .option('--edit-args <json>', 'approve, with other arguments than the model chose', jsonObject)
    .option('--all', 'approve, and all further calls of this tool in this turn')
    .option('--answer <text>', 'answer what the model asked by ask_user')
    .option('--by <name>', 'who decides; recorded (default: the user of this machine)')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Without a call and without an option it only shows what waits; on a terminal it asks when there is one.

  perdure approve ticket-42                         what waits, with arguments and deadline
  perdure approve ticket-42 001000301               approve this call
  perdure approve ticket-42 --deny --reason "…"     deny the only one that waits
  perdure approve ticket-42 --edit-args '{"orderId":"A1163","cents":5000}'
  perdure approve ticket-42 --answer "the blue one"

Exit code: 0 decided, or shown · 1 no answer from server or worker · 2 bad call, or nothing like that waits`,
    )
    .action(async (id: string, call: string | undefined, options: ApproveOptions) => {
      const decision = decisionOf(options, call !== undefined)
      const client = await AgentClient.connect(connectOptions(options))
      try {
        process.exitCode = await approve(client.get(id), { call, decision, options, terminal })
      } finally {
        await client.close()
      }
    })
}

interface Approval {
  readonly call: string | undefined
  /** Null: nothing was said. */
  readonly decision: Decision | null
  readonly options: ApproveOptions
  readonly terminal: Terminal
}

async function approve(run: RunHandle, approval: Approval): Promise<number> {
  const { call, decision, options, terminal } = approval
  const waiting = await run.pendingApprovals()
  if (decision !== null) {
    return await decide(run, decision, { ...approval, request: chosen(waiting, approval) })
  }
  if (options.json) {
    json(terminal.out, { id: run.id, waitingFor: waiting })
    return EXIT.answered
  }
  print(run.id, waiting, terminal)
  const [only, ...others] = waiting.filter(({ kind }) => kind === 'approval')
  if (only === undefined || others.length > 0) return EXIT.answered
  if (options.list || !canAsk(terminal)) return EXIT.answered
  if (!(await confirm('Approve?', terminal))) return EXIT.answered
  return await decide(run, { kind: 'approve' }, { ...approval, call, request: only })
}

async function decide(
  run: RunHandle,
  decision: Decision,
  { request, options, terminal }: Approval & { readonly request: PendingRequest },
): Promise<number> {
  const by = options.by ?? userName()
  await sendDecision(run, decision, { call: request.id, by })
  const { id: call, tool } = request
  if (options.json) {
    const made = { approve: 'approved', deny: 'denied', answer: 'answered' }[decision.kind]
    json(terminal.out, { id: run.id, call, tool, decision: made, by: by ?? null })
  } else {
    line(terminal.out, `${tool} ${call}: ${decisionText(decision, tool)}`)
  }
  return EXIT.answered
}

/** The request that is meant. @throws UsageError when that is none, or not clear */
export function chosen(
  waiting: readonly PendingRequest[],
  { call, decision }: Pick<Approval, 'call' | 'decision'>,
): PendingRequest {
  const kind = decision?.kind === 'answer' ? 'question' : 'approval'
  const what = kind === 'question' ? 'an answer' : 'approval'
  const ofKind = waiting.filter((request) => request.kind === kind)
  const [only, ...others] = call === undefined ? ofKind : ofKind.filter(({ id }) => id === call)
  if (only !== undefined && others.length === 0) return only
  const these = ofKind.map(({ id, tool }) => `${id} (${tool})`).join(', ')
  if (only !== undefined) throw new UsageError(`Several wait for ${what}, name one: ${these}.`)
  const there = these === '' ? `Nothing waits for ${what}.` : `These wait for ${what}: ${these}.`
  if (call === undefined) throw new UsageError(there)
  throw new UsageError(`Call "${call}" does not wait for ${what}, or no longer. ${there}`)
}

function print(id: string, waiting: readonly PendingRequest[], { out }: Terminal): void {
  if (waiting.length === 0) line(out, `"${id}" waits for nobody.`)
  for (const request of waiting) printRequest(out, request)
}
