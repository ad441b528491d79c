import { z } from 'zod'
import type { ToolManifest } from '../../../../src/contract/manifest.js'
import { defineTool, type ToolOptions } from '../../../../src/definition/define-tool.js'

/** A tool that no rule complains of, but for what a test changes of it. */
export function tool(
  options: Partial<ToolOptions<z.ZodType, z.ZodType>> & { readonly name?: string } = {},
): ToolManifest {
  return defineTool({
    name: 'lookup_order',
    description: 'Use when the customer asks about one order. Needs its number.',
    input: z.object({ orderId: z.string().describe('Such as A1001.') }),
    annotations: { readOnlyHint: true },
    execute: () => null,
    ...options,
  }).manifest
}
