import { z } from 'zod'
import { defineAgent, defineTool } from '../../../src/index.js'
import { INSTRUCTIONS, pageText, TOOL_DESCRIPTION } from '../../workload.js'

const readPage = defineTool({
  name: 'read_page',
  description: TOOL_DESCRIPTION,
  input: z.object({ page: z.int() }),
  annotations: { readOnlyHint: true },
  execute: ({ page }) => pageText(page),
})

/** The agent that is measured: all defaults, apart from the limit that would end it. */
export const reader = defineAgent({
  name: 'reader',
  instructions: INSTRUCTIONS,
  model: 'zero-latency',
  tools: [readPage],
  limits: { maxSteps: 100_000 },
})
