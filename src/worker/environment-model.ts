import type { ModelConfig } from '../config.js'
import type { Model } from '../models/model.js'
import { openAIModel } from '../models/openai.js'

/** No model is configured: thrown by `runWorker` before it connects to anything. */
export class MissingModelError extends Error {
  override name = 'MissingModelError'

  constructor() {
    super(
      'No model: set OPENAI_API_KEY for OpenAI, or OPENAI_BASE_URL for any OpenAI-compatible server (a local one needs no key), or give runWorker a model.',
    )
  }
}

/**
 * The model that the environment names.
 *
 * @throws MissingModelError when there is neither key nor base URL
 */
export function environmentModel({ apiKey, baseURL }: ModelConfig): Model {
  if (apiKey === undefined && baseURL === undefined) throw new MissingModelError()
  return openAIModel({ apiKey, baseURL })
}
