/** Options of Temporal's `Worker.create`, the same for every stack. Imports nothing, as the peers use it. */
export const WORKER_OPTIONS = {
  maxCachedWorkflows: 200,
  maxConcurrentActivityTaskExecutions: 100,
  maxConcurrentWorkflowTaskExecutions: 40,
} as const
