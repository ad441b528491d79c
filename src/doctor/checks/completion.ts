import type { Prompt } from '../../contract/prompt.js'
import type { RawReply } from '../../models/model.js'
import { ModelError } from '../../models/model-error.js'
import type { Check } from '../check.js'
import type { Found } from '../finding.js'
import { type NamedModel, namedModels } from '../named-models.js'

/** Tokens of the reply: the least that every provider takes. */
const MAX_TOKENS = 16

/** Each model answers, with the settings and the tools of an agent that uses it. */
export const completion: Check = {
  name: 'completion',
  needs: ['model'],
  deadlineMs: 60_000,
  look: async (subject, signal) => {
    if (!subject.completion) return [{ status: 'skip', text: 'left out (--no-completion)' }]
    const models = namedModels(subject)
    if (models.length === 0) return [{ status: 'skip', text: NO_NAME, fix: NAME_IT }]
    return await Promise.all(models.map((one) => complete(one, signal)))
  },
}

const NO_NAME = 'no model is named'
const NAME_IT = 'give --agents <file>, or set OPENAI_MODEL'

async function complete({ name, model, agent }: NamedModel, signal: AbortSignal): Promise<Found> {
  const prompt: Prompt = {
    model: name,
    settings: { ...agent?.manifest.modelSettings, maxTokens: MAX_TOKENS },
    instructions: 'This is a test of the connection. Call no tool.',
    messages: [{ role: 'user', text: 'Answer with the word: ok' }],
    tools: agent?.manifest.tools ?? [],
    parallel: agent?.manifest.parallel ?? true,
  }
  const startedAt = Date.now()
  try {
    const reply = await model.complete(prompt, signal)
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    const tools = agent === undefined ? '' : `, with the tools of ${agent.name}`
    const text = `${name} answered in ${seconds} s${tools}${tokens(reply)}${adapted(reply)}`
    return { status: 'ok', text }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const { status, message } = error
    return { status: 'fail', text: `${name}: ${status ?? 'no reply'}: ${message}`, ...fix(status) }
  }
}

function tokens({ tokens: count }: RawReply): string {
  return count === null ? '' : `, ${count.promptTokens} + ${count.completionTokens} tokens`
}

function adapted({ adapted: left }: RawReply): string {
  return left === undefined ? '' : `; it refuses ${left.join(', ')}, which is left out`
}

function fix(status: number | null): Pick<Found, 'fix'> {
  switch (status) {
    case 401:
    case 403:
      return { fix: 'check OPENAI_API_KEY, and what it may do' }
    case 404:
      return { fix: 'check the model of the agents, or set OPENAI_MODEL' }
    case 429:
      return { fix: 'out of quota, or too many requests: look at the account' }
    default:
      return { fix: 'docs/failures.md tells what perdure does about it' }
  }
}
