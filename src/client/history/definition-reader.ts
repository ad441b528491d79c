import type { LoadedDataConverter, Payload } from '@temporalio/common'
import { isObject } from '../../contract/json.js'
import type { Manifest } from '../../contract/manifest.js'
import type { Message } from '../../contract/messages.js'
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
    if (started) this.#readInput(value)
    const manifest = isObject(value['state']) ? value['state']['manifest'] : value
    if (!isObject(manifest) || typeof manifest['model'] !== 'string') return
    this.manifest = manifest as unknown as Manifest
    if (typeof manifest['agent'] === 'string') this.agent = manifest['agent']
    const tools = this.manifest.tools ?? []
    this.#types = new Map(tools.map(({ name, activityType }) => [name, activityType]))
  }

  #readInput({ agent, input, state }: Record<string, unknown>): void {
    if (typeof agent === 'string') this.agent = agent
    if (typeof input === 'string') this.question ??= input
    // The first execution of a long chain may be gone already.
    if (isObject(state) && Array.isArray(state['messages'])) {
      const messages = state['messages'] as unknown as readonly Message[]
      const said = messages.find(({ role, ...more }) => role === 'user' && !('kind' in more))
      this.question ??= said?.text ?? null
    }
  }
}
