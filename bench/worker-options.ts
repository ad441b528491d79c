/**
 * Options of Temporal's `Worker.create`, the same for every stack: all runs that there are at once fit the
 * cache. Imports nothing, as the peers use it.
 */
export const WORKER_OPTIONS = {
  maxCachedWorkflows: 600,
  maxConcurrentActivityTaskExecutions: 100,
  maxConcurrentWorkflowTaskExecutions: 40,
} as const
