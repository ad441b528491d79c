import { shorten } from '../../contract/text.js'
import type { Check } from '../check.js'
import type { Found } from '../finding.js'
import { listModels, type ModelListing, modelUrl } from '../model-listing.js'
import { namedModels } from '../named-models.js'
import type { Subject } from '../subject.js'

/** Characters of an answer that are shown. */
const MAX_CHARS = 200

/** The model's API answers and takes the key. */
export const model: Check = {
  name: 'model',
  needs: [],
  deadlineMs: 15_000,
  look: async (subject, signal) => {
    const { apiKey, baseURL } = subject.model
    if (apiKey === undefined && baseURL === undefined) return [unset(subject)]
    const url = modelUrl(subject.model)
    try {
      return [judge(await listModels(subject.model, signal), subject)]
    } catch (error) {
      return [{ status: 'fail', text: `${url} does not answer: ${reason(error)}`, fix: URL_FIX }]
    }
  },
}

const URL_FIX = 'check OPENAI_BASE_URL, and whether this machine gets through to it'

/** With the agents of a worker, a worker would not start; without, the worker may be elsewhere. */
function unset({ agents }: Subject): Found {
  return {
    status: agents === undefined ? 'skip' : 'fail',
    text: 'neither OPENAI_API_KEY nor OPENAI_BASE_URL is set',
    fix: 'set them as the worker has them',
  }
}

function judge({ status, models, text: answer }: ModelListing, subject: Subject): Found {
  const url = modelUrl(subject.model)
  // Redacted before it is cut to size: half a key would not be known as one.
  const text = shorten(subject.redact(answer), MAX_CHARS)
  const hasKey = subject.model.apiKey !== undefined
  if (status === 401) {
    return hasKey
      ? { status: 'fail', text: `${url} refuses the key: ${text}`, fix: 'check OPENAI_API_KEY' }
      : { status: 'fail', text: `${url} wants a key`, fix: 'set OPENAI_API_KEY' }
  }
  if (status >= 500) return { status: 'fail', text: `${url} answers ${status}: ${text}` }
  if (models === undefined) {
    // Some APIs have no list, some keys may not read it: the completion tells.
    return { status: 'ok', text: `${url} answers, but not with its models (${status})` }
  }
  const missing = namedModels(subject).filter(({ name }) => !models.includes(name))
  if (missing.length > 0 && !subject.completion) {
    const names = missing.map(({ name }) => name).join(', ')
    return { status: 'warn', text: `${url} does not list ${names}`, fix: NAME_FIX }
  }
  return {
    status: 'ok',
    text: `${url} answers${hasKey ? ' and takes the key' : ', no key is set'}`,
  }
}

const NAME_FIX = 'check the model of the agents, or set OPENAI_MODEL'

/** fetch hides the reason in its cause. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
