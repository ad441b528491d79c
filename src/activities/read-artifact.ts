import { ApplicationFailure, Context } from '@temporalio/activity'
import type { AgentActivities } from '../contract/activities.js'
import { FAILURE } from '../contract/failures.js'
import { NO_REST, pageOf } from '../contract/read-more.js'
import type { ArtifactStore } from './artifact-store.js'
import { errorName } from './error-name.js'
import { beating, throwIfAborted } from './heartbeat.js'

/** The activity behind `read_more` where the artifact store keeps what was cut. */
export function createReadArtifact(
  store: ArtifactStore | undefined,
): AgentActivities['readArtifact'] {
  return async ({ key, chars, page }) => {
    const context = Context.current()
    let text: string | null
    try {
      const get = async () => await store?.get(key, context.cancellationSignal)
      text = (await beating(context, () => undefined, get)) ?? null
    } catch (error) {
      throwIfAborted(context, true)
      context.log.error('artifact store failed', { key, error })
      throw ApplicationFailure.retryable(
        `The artifact store threw ${errorName(error)}; the worker's log has the details`,
        FAILURE.toolFailed,
      )
    }
    if (text === null) return { text: NO_REST, error: true }
    return pageOf({ text, chars }, page)
  }
}
