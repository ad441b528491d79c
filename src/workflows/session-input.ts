import type { ApplicationFailure } from '@temporalio/workflow'
import { utf8Length } from '../agent/conversation.js'
import { isObject } from '../contract/json.js'
import { MAX_CONTEXT_BYTES } from '../contract/names.js'
import type { SessionInput } from '../contract/session.js'
import { runError } from './run-error.js'

/** A caller in any language may start this workflow: what it sends is checked before it is used. */
export function isSessionInput(input: unknown): input is SessionInput {
  if (!isObject(input)) return false
  const { agent, session, context, settings = {} } = input
  if (utf8Length(JSON.stringify(context ?? null)) > MAX_CONTEXT_BYTES) return false
  if (session !== undefined) {
    return (
      isObject(session) && typeof session['agent'] === 'string' && Array.isArray(session['queue'])
    )
  }
  if (typeof agent !== 'string' || !isObject(settings)) return false
  return isCount(settings['idleMs']) && isCount(settings['maxQueued'])
}

function isCount(value: unknown): boolean {
  return value === undefined || (typeof value === 'number' && value >= 1)
}

/** For an input that is not one. */
export function badSessionInput(): ApplicationFailure {
  const message = `the input must be {"agent": string, "context"?: object of ${MAX_CONTEXT_BYTES} bytes at most, "settings"?: {"idleMs"?: number, "maxQueued"?: number}}`
  return runError('definition_error', message, { turn: 0, step: 0 })
}
