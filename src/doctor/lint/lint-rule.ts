import type { ToolManifest } from '../../contract/manifest.js'

/** What a rule has to say of one tool. */
export interface LintWarning {
  readonly tool: string
  /** What is wrong. */
  readonly text: string
  /** What to do. */
  readonly fix: string
}

/** One thing that makes models call a tool wrongly. */
export interface LintRule {
  readonly name: string
  /** **Contract:** pure; looks at the tools of one agent, as the model sees them. */
  readonly check: (tools: readonly ToolManifest[]) => readonly LintWarning[]
}
