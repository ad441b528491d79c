import { createHash, randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { shrink } from '../../agent/conversation.js'
import { applyChanges, observationsOf } from '../../agent/fork-changes.js'
import { rebuildState } from '../../agent/rebuild.js'
import { RebuildError } from '../../agent/rebuild-error.js'
import { type RunRecord, stepsOf } from '../../agent/run-record.js'
import type { Fork, ForkOrigin } from '../../contract/fork.js'
import { canonicalJson, type JsonValue } from '../../contract/json.js'
import { WORKFLOW_TYPE } from '../../contract/names.js'
import type { RunState } from '../../contract/run.js'
import { shorten } from '../../contract/text.js'
import { ForkError } from '../errors/fork-error.js'
import { readChain } from '../history/chain.js'
import { RunRecorder } from '../history/run-record.js'
import { launch, type StartedRun } from '../launch.js'
import { probeAttributes } from '../search-attributes/probe-attributes.js'
import { changesInWords, checkForkOptions, type ForkOptions } from './fork-options.js'
import { recordedResults } from './recorded-results.js'

/** Bytes of a fork's input at most, as of a state that is carried over. */
const MAX_BYTES = 1_500_000

/**
 * Starts a run with the state that another one had before a step.
 *
 * @throws ForkError, InvalidInputError before anything is started
 */
export async function forkRun(
  client: Client,
  id: string,
  options: ForkOptions,
): Promise<StartedRun> {
  checkForkOptions(options)
  const { runId, taskQueue, type } = await client.workflow.getHandle(id).describe()
  if (type !== WORKFLOW_TYPE) throw new ForkError(id, `It is a workflow of type "${type}".`)
  const record = await readRecord(client, id, runId)
  const state = await stateBefore(record, id, options.step)
  const from: ForkOrigin = { id, runId, step: state.step + 1 }
  change(state, {
    id,
    options,
    searchAttributes: (await attributes(client)) ?? state.manifest.searchAttributes,
  })
  const fork = forkOf(record, state, { from, live: options.live === true })
  if (!shrink(state, MAX_BYTES - Buffer.byteLength(JSON.stringify(fork)))) {
    throw new ForkError(id, `Its state is over ${MAX_BYTES} bytes, even without its observations.`)
  }
  const changes = changesInWords(options)
  const { agent } = state.manifest
  const forkId = options.id ?? `${id}-fork-${randomUUID().slice(0, 8)}`
  return await launch(client, {
    id: forkId,
    taskQueue,
    input: { fork: { ...fork, state } },
    memo: { agent, inputDigest: digest(from, options), forkedFrom: from, changes },
    isNew: false,
    staticSummary: shorten(`${agent} · fork of ${id} before step ${from.step}`, 200),
    staticDetails: details(forkId, from, changes),
    priority: {},
  })
}

async function readRecord(client: Client, workflowId: string, runId: string): Promise<RunRecord> {
  const recorder = new RunRecorder(client.options.loadedDataConverter)
  for await (const event of readChain(client, { workflowId, runId, follow: false })) {
    await recorder.take(event)
  }
  return recorder.record
}

/** The state before a step; before the one behind the last, or the last, where none is named. */
async function stateBefore(
  record: RunRecord,
  id: string,
  step: number | undefined,
): Promise<RunState> {
  const begin = record.executions[0]
  if (begin === undefined) {
    throw new ForkError(id, 'It never began, so there is nothing to go on from. Start a new run.')
  }
  const last = stepsOf(record).at(-1) ?? { turn: 1, step: 0 }
  const { turn } = last
  const behind = await rebuildState(record, { turn, step: last.step + 1 }).catch(noted)
  if (!(behind instanceof RebuildError) && (step === undefined || step === last.step + 1)) {
    return behind
  }
  const state = await rebuildState(record, { turn, step: step ?? last.step }).catch(noted)
  if (!(state instanceof RebuildError)) return state
  const end = behind instanceof RebuildError ? last.step : last.step + 1
  const there =
    end === 0 ? '' : ` It can be forked before ${end === 1 ? 'step 1' : `steps 1 to ${end}`}.`
  throw new ForkError(id, `${state.message}${there}`, { cause: state })
}

function noted(error: unknown): RebuildError {
  if (error instanceof RebuildError) return error
  throw error
}

interface Change {
  readonly id: string
  readonly options: ForkOptions
  readonly searchAttributes: readonly string[]
}

function change(state: RunState, { id, options, searchAttributes }: Change): void {
  const there = observationsOf(state)
  const missing = applyChanges(state, options, searchAttributes)
  if (missing.length === 0) return
  const list = there.map(({ place, tool }) => `${place} (${tool})`).join(', ')
  throw new ForkError(
    id,
    `Before step ${state.step + 1} it has no observation ${missing.join(', ')}. Its observations: ${list || 'none'}.`,
  )
}

/** A fork of a fork goes on with what that one would have answered. */
function forkOf(
  record: RunRecord,
  state: RunState,
  { from, live }: { readonly from: ForkOrigin; readonly live: boolean },
): Fork {
  if (live) return { from }
  const results = recordedResults(record, state.manifest, from.step)
  return { from, dry: { ...state.fork?.dry, ...results } }
}

/** The search attributes that the namespace has now; undefined where the server does not tell. */
async function attributes({ workflowService, options }: Client): Promise<string[] | undefined> {
  const states = await probeAttributes(workflowService, options.namespace).catch(() => undefined)
  return states?.filter(({ status }) => status === 'there').map(({ name }) => name)
}

function digest(from: ForkOrigin, { id: _, ...options }: ForkOptions): string {
  // Options are plain data; what is undefined in them counts as left out.
  const what = JSON.parse(JSON.stringify({ from, options })) as JsonValue
  return createHash('sha256').update(canonicalJson(what)).digest('hex')
}

function details(id: string, from: ForkOrigin, changes: readonly string[]): string {
  return [
    `- forked from **${from.id}** before step ${from.step} (execution ${from.runId})`,
    ...changes.map((change) => `- ${change}`),
    `- side by side in the terminal: \`perdure diff ${from.id} ${id}\``,
  ].join('\n')
}
