/** A model that an agent names is not to be had: thrown by `runWorker` before it connects to anything. */
export class MissingModelError extends Error {
  override name = 'MissingModelError'

  /** `known` are the names of the worker's own `models`. */
  constructor(agent: string, model: string, known: readonly string[]) {
    const others = known.length === 0 ? '' : ` Its own models: ${known.join(', ')}.`
    super(
      `Agent "${agent}" needs model "${model}", and this worker has none: set OPENAI_API_KEY for OpenAI, or OPENAI_BASE_URL for any OpenAI-compatible server (a local one needs no key), or give runWorker the model.${others}`,
    )
  }
}
