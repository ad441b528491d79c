import type { Client, WorkflowExecutionInfo } from '@temporalio/client'
import { MEMO_KEY, type RunMemo, SESSION_TYPE, WORKFLOW_TYPE } from '../contract/names.js'
import { MissingAttributeError } from './errors/missing-attribute-error.js'
import { type RunStatusName, statusName } from './run-handle.js'
import type { AttributeName } from './search-attributes/attribute-state.js'

/** Which runs to list; all conditions must hold. */
export interface ListOptions {
  /** Runs of this agent only. */
  readonly agent?: string
  /** Runs with this status only. */
  readonly status?: RunStatusName
  /** Runs that ended so: a stop reason, the reason of a failure such as `model_error`, or `cancelled`. */
  readonly stopReason?: string
  /** Runs of agents whose first model is this one. */
  readonly model?: string
  /** True: only what waits for a person. */
  readonly waiting?: boolean
  /** Runs that started then or later; of a run that continued as new, its newest execution. */
  readonly since?: Date
  /** A further condition in Temporal's list filter, such as `PerdureSteps > 5`. */
  readonly query?: string
}

/**
 * One run of a list. What comes from search attributes is undefined where the namespace does not have them
 * or the run was started before it had; steps, tokens, cost and stop reason also while the run is open.
 */
export interface ListedRun {
  readonly id: string
  readonly kind: 'run' | 'session'
  readonly agent: string
  readonly status: RunStatusName
  readonly startedAt: Date
  /** Null while the run is open. */
  readonly closedAt: Date | null
  /** The agent's first model. */
  readonly model: string | undefined
  /** Of a session: that of its last turn. */
  readonly stopReason: string | undefined
  /** What it waits for a person for: `approval` or `question`; undefined while it does not. */
  readonly waitingFor: string | undefined
  readonly steps: number | undefined
  readonly tokens: number | undefined
  /** US dollars; undefined also when the worker has no price of a model that answered. */
  readonly costUsd: number | undefined
}

/** Temporal's names of the states of a run. */
const STATUS_NAMES: Readonly<Record<RunStatusName, string>> = {
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Canceled',
  terminated: 'Terminated',
  timed_out: 'TimedOut',
}

/**
 * Runs, the newest first, as Temporal's visibility store has them: about a second behind.
 *
 * @throws MissingAttributeError when stop reason, model or what waits are asked for and cannot be
 */
export async function* listRuns(
  client: Client,
  options: ListOptions,
): AsyncGenerator<ListedRun, void> {
  const { agent } = options
  const query = (await conditions(client, options)).join(' AND ')
  for await (const info of client.workflow.list({ query })) {
    const run = listed(info)
    if (agent === undefined || run.agent === agent) yield run
  }
}

async function conditions(
  client: Client,
  { agent, status, stopReason, waiting, model, since, query }: ListOptions,
): Promise<string[]> {
  // Without the attribute the memo tells, which is always there.
  const byAgent = agent !== undefined && (await hasAttribute(client, 'PerdureAgent'))
  return [
    ...(byAgent ? [`PerdureAgent = ${quoted(agent)}`] : []),
    `WorkflowType IN ('${WORKFLOW_TYPE}', '${SESSION_TYPE}')`,
    // One line a run: the executions that it continued from are the same run.
    "ExecutionStatus != 'ContinuedAsNew'",
    ...(status === undefined ? [] : [`ExecutionStatus = '${STATUS_NAMES[status]}'`]),
    ...(await byAttribute(client, 'PerdureStopReason', stopReason)),
    ...(await byAttribute(client, 'PerdureModel', model)),
    ...(waiting ? await whereWaiting(client) : []),
    ...(since === undefined ? [] : [`StartTime >= '${since.toISOString()}'`]),
    ...(query === undefined ? [] : [`(${query})`]),
  ]
}

async function byAttribute(
  client: Client,
  name: AttributeName,
  value: string | undefined,
): Promise<string[]> {
  if (value === undefined) return []
  if (await hasAttribute(client, name)) return [`${name} = ${quoted(value)}`]
  throw new MissingAttributeError(name, client.options.namespace)
}

async function whereWaiting(client: Client): Promise<string[]> {
  const name = 'PerdureWaitingFor'
  if (await hasAttribute(client, name)) return [`${name} IS NOT NULL`]
  throw new MissingAttributeError(name, client.options.namespace)
}

/** Asks for nothing: a namespace without the attribute refuses the filter. */
async function hasAttribute({ workflow }: Client, name: AttributeName): Promise<boolean> {
  try {
    await workflow.count(`${name} = ''`)
    return true
  } catch {
    return false
  }
}

function listed(info: WorkflowExecutionInfo): ListedRun {
  const memo = info.memo?.[MEMO_KEY] as RunMemo | undefined
  const text = (name: AttributeName) => info.searchAttributes[name]?.[0]?.toString()
  const number = (name: AttributeName) => {
    const value = info.searchAttributes[name]?.[0]
    return typeof value === 'number' ? value : undefined
  }
  return {
    id: info.workflowId,
    kind: info.type === SESSION_TYPE ? 'session' : 'run',
    // The search attribute is there only where it is registered, a moment later; the memo at once, but not
    // of a run that was started without this client.
    agent: memo?.agent ?? text('PerdureAgent') ?? '',
    status: statusName(info.status.name),
    startedAt: info.startTime,
    closedAt: info.closeTime ?? null,
    model: text('PerdureModel'),
    stopReason: text('PerdureStopReason'),
    waitingFor: text('PerdureWaitingFor'),
    steps: number('PerdureSteps'),
    tokens: number('PerdureTokens'),
    costUsd: number('PerdureCostUsd'),
  }
}

/** A text in Temporal's list filters. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
