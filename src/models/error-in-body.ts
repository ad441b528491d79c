import { isObject } from '../contract/json.js'
import { ModelError } from './model-error.js'

/** The error that a server put into a body with status 200, or into the middle of a stream; null if none. */
export function errorInBody(body: unknown): ModelError | null {
  if (!isObject(body)) return null
  // vLLM's older form has the fields of the error at the top.
  const error = body['object'] === 'error' ? body : body['error']
  if (error === undefined || error === null || error === false || error === '') return null
  if (!isObject(error))
    return new ModelError(String(error), { status: null, code: 'error_in_body' })
  const { message, code, type } = error
  return new ModelError(typeof message === 'string' ? message : JSON.stringify(error), {
    status: null,
    code: typeof code === 'string' ? code : typeof type === 'string' ? type : 'error_in_body',
  })
}
