import type { LoadedDataConverter, Payload } from '@temporalio/common'
import { carriedState } from '../../agent/fork.js'
import type { Fork } from '../../contract/fork.js'
import { isObject } from '../../contract/json.js'
import type { Manifest } from '../../contract/manifest.js'
import type { RunState } from '../../contract/run.js'
import { decodeFirst } from './decode.js'
import type { HistoryEvent } from './read-events.js'

/** Reads what a run was started with, and the definition that was recorded for it. */
export class DefinitionReader {
  readonly #converter: LoadedDataConverter
  /** Activity types by the names of tools. */
  #types = new Map<string, string>()
  /** The user's message; null where the history does not tell, as in a workflow of the user's own. */
  question: string | null = null
  /** The name of the agent; '' where the history does not tell. */
  agent = ''
  /** Of a dry fork: what calls that are not made get. */
  dry: NonNullable<Fork['dry']> = {}
  /** Left out before it was read. */
  manifest: Manifest | undefined

  constructor(converter: LoadedDataConverter) {
    this.#converter = converter
  }

  /** The agent's first model; '' where an old history does not tell. */
  get model(): string {
    return this.manifest?.model ?? ''
  }

  /** Temporal's activity type of a tool. */
  typeOf(tool: string): string {
    return this.#types.get(tool) ?? tool
  }

  /** The definition is in the marker of prepareTurn, or in the state that an execution begins with. */
  async take(event: HistoryEvent): Promise<void> {
    const started = event.workflowExecutionStartedEventAttributes
    const marker = event.markerRecordedEventAttributes
    const payloads = marker?.details?.['result']?.payloads ?? started?.input?.payloads
    if (payloads === undefined || payloads === null) return
    const value = await decodeFirst(this.#converter, payloads as Payload[])
    if (!isObject(value)) return
    const state = started ? carriedState(value) : undefined
    if (started) this.#readInput(value, state)
    if (state?.fork?.dry !== undefined) this.dry = state.fork.dry
    const manifest: unknown = state?.manifest ?? value
    if (!isObject(manifest) || typeof manifest['model'] !== 'string') return
    this.manifest = manifest as unknown as Manifest
    if (typeof manifest['agent'] === 'string') this.agent = manifest['agent']
    const tools = this.manifest.tools ?? []
    this.#types = new Map(tools.map(({ name, activityType }) => [name, activityType]))
  }

  #readInput({ agent, input }: Record<string, unknown>, state: RunState | undefined): void {
    if (typeof agent === 'string') this.agent = agent
    if (typeof input === 'string') this.question ??= input
    // The first execution of a long chain may be gone already.
    if (!Array.isArray(state?.messages)) return
    const said = state.messages.find(({ role, ...more }) => role === 'user' && !('kind' in more))
    this.question ??= said?.text ?? null
  }
}
