import { ApplicationFailure, Context } from '@temporalio/activity'
import type { AgentActivities } from '../contract/activities.js'
import { FAILURE } from '../contract/failures.js'
import { NO_REST, pageOf } from '../contract/read-more.js'
import type { ArtifactStore } from './artifact-store.js'
import { errorName } from './error-name.js'

/** The activity behind `read_more` where the artifact store keeps what was cut. */
export function createReadArtifact(
  store: ArtifactStore | undefined,
): AgentActivities['readArtifact'] {
  return async ({ key, chars, page }) => {
    const { cancellationSignal, log } = Context.current()
    let text: string | null
    try {
      text = (await store?.get(key, cancellationSignal)) ?? null
    } catch (error) {
      log.error('artifact store failed', { key, error })
      throw ApplicationFailure.retryable(
        `The artifact store threw ${errorName(error)}; the worker's log has the details`,
        FAILURE.toolFailed,
      )
    }
    if (text === null) return { text: NO_REST, error: true }
    return { text: pageOf({ text, chars }, page) }
  }
}
