import { z } from 'zod'
import type { ModelConfig } from '../config.js'
import { splitUrl } from '../models/split-url.js'

/** Where the package `openai` sends requests when no base URL is set. */
const OPENAI = 'https://api.openai.com/v1'

const listing = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) })

/** What an OpenAI-compatible API answers to `GET /models`. */
export interface ModelListing {
  readonly status: number
  /** The names in it; undefined where the answer is no list. */
  readonly models: readonly string[] | undefined
  /** The beginning of any other answer. */
  readonly text: string
}

/** The base URL of the model's API, without credentials. */
export function modelUrl({ baseURL }: ModelConfig): string {
  return baseURL === undefined ? OPENAI : splitUrl(baseURL).url
}

/**
 * Asks a model's API for its list of models, with the key in use: that costs nothing. Rejects where nothing
 * answers.
 */
export async function listModels(config: ModelConfig, signal: AbortSignal): Promise<ModelListing> {
  const { url, credentials } = splitUrl(config.baseURL ?? OPENAI)
  const bearer = config.apiKey === undefined ? undefined : `Bearer ${config.apiKey}`
  const authorization = credentials ?? bearer
  const response = await fetch(`${url.replace(/\/+$/, '')}/models`, {
    headers: authorization === undefined ? {} : { authorization },
    signal,
  })
  const text = await response.text()
  return { status: response.status, models: namesIn(text), text: text.slice(0, MAX_CHARS) }
}

/** Characters of an answer that are looked at where it is no list: a server may send a book. */
const MAX_CHARS = 5_000

function namesIn(text: string): readonly string[] | undefined {
  try {
    return listing.safeParse(JSON.parse(text)).data?.data.map(({ id }) => id)
  } catch {
    return undefined
  }
}
