import type { Info } from '@temporalio/activity'

/** Names one execution in the prompt cache: run ids are unique in a namespace. */
export function runKey({ namespace, workflowExecution }: Info): string {
  return `${namespace}/${workflowExecution?.runId ?? ''}`
}
