import { DRY, type ToolOutcome } from '../contract/activities.js'
import { canonicalJson } from '../contract/json.js'
import type { ToolManifest } from '../contract/manifest.js'
import type { ToolCall } from '../contract/messages.js'
import type { RunState } from '../contract/run.js'
import { fingerprint } from './digest.js'

/** What tells a call of a fork from another: its tool and its arguments. */
export function dryKey({ name, args }: Pick<ToolCall, 'name' | 'args'>): string {
  return fingerprint(canonicalJson([name, args]))
}

/** The observation of a call that a fork did not make, and that the run before it did not make either. */
export function notRunText(tool: string): string {
  return JSON.stringify({
    status: 'not_run',
    message: `This is a rehearsal: ${tool} was not run, and nothing was changed. Go on as if it had been done, without making up what it would have answered.`,
  })
}

/**
 * The outcome of a call that a dry fork does not make, and whose it is; null for a call that is made: one
 * of a read-only tool, or of a run that is no dry fork.
 */
export function dryAnswer(
  { fork }: RunState,
  call: ToolCall,
  tool: ToolManifest,
): { readonly outcome: ToolOutcome; readonly source: string } | null {
  if (fork?.dry === undefined || tool.annotations.readOnlyHint === true) return null
  const key = dryKey(call)
  const recorded = Object.hasOwn(fork.dry, key) ? fork.dry[key] : undefined
  if (recorded === undefined) return { outcome: { text: notRunText(tool.name) }, source: DRY }
  return { outcome: recorded, source: `${DRY}:${key}` }
}
