import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { AgentOptions, ToolOptions } from '../../../src/index.js'
import { defineAgent, defineTool } from '../../built-package.js'
import { INSTRUCTIONS, pageText, TOOL_DESCRIPTION } from '../../workload.js'

type Input = z.ZodObject<{ page: z.ZodInt }>
type Changes = Partial<ToolOptions<Input, never>>

/** Milliseconds that the slow tools wait, as for a database or an API. */
const WAIT_MS = 50

/**
 * One agent for each thing that is measured, each with a `read_page` of its own. The activity types are about
 * as long as that name, which users leave as it is: they are in the history.
 */
export const agents = [
  agent('reader', { activityType: 'read_page' }),
  agent('reader_local', { activityType: 'page_local', local: true }),
  agent('reader_memory', { activityType: 'page_memo' }, { memory: {}, model: 'counting' }),
  agent('slow_reader', { activityType: 'page_slow', execute: slowly }),
  agent('slow_reader_cached', { activityType: 'page_keep', execute: slowly, cache: 'run' }),
  agent('slow_reader_serial', { activityType: 'page_one', execute: slowly, parallel: false }),
]

/** All defaults, apart from the memory, and the limit that would end it. */
function agent(name: string, tool: Changes, changes: Partial<AgentOptions> = {}) {
  return defineAgent({
    name,
    instructions: INSTRUCTIONS,
    model: 'zero-latency',
    tools: [readPage(tool)],
    limits: { maxSteps: 100_000 },
    memory: 'none',
    ...changes,
  })
}

function readPage(changes: Changes) {
  return defineTool({
    name: 'read_page',
    description: TOOL_DESCRIPTION,
    input: z.object({ page: z.int() }),
    annotations: { readOnlyHint: true },
    execute: ({ page }) => pageText(page),
    ...changes,
  })
}

async function slowly({ page }: { page: number }): Promise<string> {
  await sleep(WAIT_MS)
  return pageText(page)
}
