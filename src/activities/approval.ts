import { Context } from '@temporalio/activity'
import type { JsonObject } from '../contract/json.js'
import type { ToolManifest } from '../contract/manifest.js'
import { shorten } from '../contract/text.js'
import type { Tool } from '../definition/define-tool.js'
import { check } from './check-schema.js'

/** Characters of a reason at most: it is recorded, and shown on one line. */
const MAX_CHARS = 500
/** The reason where the tool's own rule could not say. */
const NO_RULE = 'the rule that says whether it needs approval failed'

/**
 * Whether a person must approve a call, as the tool's rule says of its checked arguments: the reason, ''
 * without one; null when the call may run. A rule that throws, or does not get what it needs, means yes.
 */
export async function approvalOf(
  tool: Tool,
  offered: ToolManifest | undefined,
  { args, context }: { readonly args: JsonObject; readonly context: JsonObject | null },
): Promise<string | null> {
  if (offered?.approval === undefined) return null
  if (offered.approval === 'always' || typeof tool.approval !== 'function') return ''
  try {
    const parsed = await check(tool.input, args)
    const who = tool.context ? await check(tool.context, context ?? undefined) : undefined
    if (!parsed.success || who?.success === false) return NO_RULE
    const answer = tool.approval(parsed.data, { context: who ? who.data : context })
    if (typeof answer === 'string') return shorten(answer.toWellFormed(), MAX_CHARS)
    return answer ? '' : null
  } catch (error) {
    Context.current().log.error('approval rule failed', { tool: tool.name, error })
    return NO_RULE
  }
}
