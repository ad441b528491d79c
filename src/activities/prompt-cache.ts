import { assistantMessage, toolMessage } from '../agent/conversation.js'
import { digestOf, extendDigest } from '../agent/digest.js'
import type { ConversationReference } from '../contract/activities.js'
import type { JsonObject } from '../contract/json.js'
import type { Manifest } from '../contract/manifest.js'
import type { AssistantMessage, Message } from '../contract/messages.js'
import type { ModelReply } from '../contract/reply.js'

/** Text that the cache of one worker holds at most, in characters (two bytes each). */
const MAX_CHARS = 32_000_000

/** What a model call needs besides its input. */
export interface Conversation {
  readonly manifest: Manifest
  readonly messages: readonly Message[]
  /** Who is asking, for the rules of tools. */
  readonly context: JsonObject | null
}

/** One turn as far as this worker has seen it. */
interface Turn {
  readonly manifest: Manifest
  readonly context: JsonObject | null
  /** The conversation before the call of step `step`, as it was checked against a digest. */
  base: { readonly step: number; readonly messages: readonly Message[]; readonly digest: string }
  /** What came after: replies by step, observations by step and call. */
  readonly replies: Map<number, AssistantMessage>
  readonly observations: Map<string, string>
  chars: number
}

/**
 * What one worker has seen of its conversations, so that a model call's prompt is built without asking
 * the workflow. It may lack anything at any time: the digest decides whether what is here is the truth.
 * Entries are written by place (step, call), never appended, so a late attempt of a dead call does no
 * harm.
 *
 * `run` is the namespace and the run id.
 */
export class PromptCache {
  readonly #turns = new Map<string, Turn>()
  #chars = 0

  /** A turn begins; `messages` is all that is said before its first step. */
  begin(run: string, turn: number, { manifest, messages, context }: Conversation, step = 1): void {
    this.#drop(key(run, turn))
    const chars = JSON.stringify([manifest, messages]).length
    const digest = digestOf(manifest, messages)
    this.#turns.set(key(run, turn), {
      manifest,
      context,
      base: { step, messages, digest },
      replies: new Map(),
      observations: new Map(),
      chars,
    })
    this.#grow(chars)
  }

  /** The reply of one step. */
  putReply(
    run: string,
    { turn, step }: Pick<ConversationReference, 'turn' | 'step'>,
    reply: ModelReply,
  ): void {
    const entry = this.#turns.get(key(run, turn))
    if (entry === undefined) return
    // A reply without calls ends most turns; should this one go on, the workflow is asked once.
    if (reply.calls.length === 0) {
      this.#drop(key(run, turn))
      return
    }
    const message = assistantMessage(reply, turn, step)
    entry.replies.set(step, message)
    this.#grow(JSON.stringify(message).length, entry)
  }

  /** The observation of one call. */
  putObservation(
    run: string,
    at: { turn: number; step: number; call: number },
    text: string,
  ): void {
    const entry = this.#turns.get(key(run, at.turn))
    if (entry === undefined) return
    entry.observations.set(`${at.step}.${at.call}`, text)
    this.#grow(text.length, entry)
  }

  /** The conversation that the digest of `at` names, or null when this worker does not have it. */
  get(run: string, at: ConversationReference): Conversation | null {
    const entry = this.#turns.get(key(run, at.turn))
    if (entry === undefined) return null
    const added = messagesSince(entry, at.step)
    if (added === null) return null
    const { messages, digest } = entry.base
    if (messages.length + added.length !== at.count) return null
    if (added.reduce(extendDigest, digest) !== at.digest) return null
    const all = [...messages, ...added]
    entry.base = { step: at.step, messages: all, digest: at.digest }
    this.#touch(key(run, at.turn), entry)
    return { manifest: entry.manifest, messages: all, context: entry.context }
  }

  #grow(chars: number, entry?: Turn): void {
    if (entry !== undefined) entry.chars += chars
    this.#chars += chars
    for (const oldest of this.#turns.keys()) {
      if (this.#chars <= MAX_CHARS) break
      this.#drop(oldest)
    }
  }

  #touch(name: string, entry: Turn): void {
    this.#turns.delete(name)
    this.#turns.set(name, entry)
  }

  #drop(name: string): void {
    this.#chars -= this.#turns.get(name)?.chars ?? 0
    this.#turns.delete(name)
  }
}

function messagesSince(entry: Turn, step: number): Message[] | null {
  if (step < entry.base.step) return null
  const messages: Message[] = []
  for (let s = entry.base.step; s < step; s++) {
    const reply = entry.replies.get(s)
    if (reply === undefined) return null
    messages.push(reply)
    for (const [index, call] of reply.calls.entries()) {
      const text = call.problem ?? entry.observations.get(`${s}.${index + 1}`)
      if (text === undefined) return null
      messages.push(toolMessage(reply, index + 1, text))
    }
  }
  return messages
}

function key(run: string, turn: number): string {
  return `${run}/${turn}`
}
