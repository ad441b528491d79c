import type { Context } from '@temporalio/activity'
import type { ArtifactStore } from './artifact-store.js'
import { untilAborted } from './heartbeat.js'

/** Milliseconds that a store gets for one text at most. */
const MAX_MS = 10_000
/** Milliseconds before the time-out of the tool by which it must have ended. */
const MARGIN_MS = 500

/** A text for the store, and the attempt at a tool that it comes from. */
export interface ArtifactToPut {
  readonly key: string
  readonly text: string
  readonly context: Context
  /** When the attempt began, in milliseconds. */
  readonly startedAt: number
}

/**
 * Puts a text into a store while there is time: the tool has done its work, and a store that hangs must not
 * make it time out. Rejects when the store fails, or when the time is up.
 */
export async function putArtifact(
  store: ArtifactStore,
  { key, text, context, startedAt }: ArtifactToPut,
): Promise<void> {
  const { info, cancellationSignal } = context
  const left = startedAt + (info.startToCloseTimeoutMs ?? MAX_MS) - MARGIN_MS - Date.now()
  const late = AbortSignal.timeout(Math.max(0, Math.min(MAX_MS, left)))
  const signal = AbortSignal.any([cancellationSignal, late])
  await untilAborted(signal, () => store.put(key, text, signal))
}
