import type { Manifest } from '../../contract/manifest.js'
import { descriptionLength } from './description-length.js'
import { fieldDescriptions } from './field-descriptions.js'
import type { LintRule, LintWarning } from './lint-rule.js'
import { overlap } from './overlap.js'
import { saidEffect } from './said-effect.js'
import { saysWhen } from './says-when.js'

/** A new rule: one file and one line here. */
const RULES: readonly LintRule[] = [
  saysWhen,
  descriptionLength,
  overlap,
  fieldDescriptions,
  saidEffect,
]

/** A warning of a rule, in the agent that it is about. */
export interface AgentWarning extends LintWarning {
  readonly agent: string
  readonly rule: string
}

/** Everything that makes models call the tools of an agent wrongly, as far as its definition tells. */
export function lintAgent({ agent, tools }: Pick<Manifest, 'agent' | 'tools'>): AgentWarning[] {
  return RULES.flatMap(({ name, check }) =>
    check(tools).map((warning) => ({ agent, rule: name, ...warning })),
  )
}
