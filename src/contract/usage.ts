import type { ModelReply, Usage } from './reply.js'

/** Before the first reply. */
export const NO_USAGE: Usage = {
  promptTokens: 0,
  completionTokens: 0,
  totalTokens: 0,
  modelCalls: 0,
  uncountedCalls: 0,
}

/** The usage after one more reply. */
export function addUsage(usage: Usage, { tokens }: Pick<ModelReply, 'tokens'>): Usage {
  const promptTokens = usage.promptTokens + (tokens?.promptTokens ?? 0)
  const completionTokens = usage.completionTokens + (tokens?.completionTokens ?? 0)
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    modelCalls: usage.modelCalls + 1,
    uncountedCalls: usage.uncountedCalls + (tokens === null ? 1 : 0),
  }
}

/** All tokens of a reply; 0 when its server did not say. */
export function tokensOf({ tokens }: Pick<ModelReply, 'tokens'>): number {
  return (tokens?.promptTokens ?? 0) + (tokens?.completionTokens ?? 0)
}
