import { Context } from '@temporalio/activity'
import { type NextMove, nextMove, pageText } from '../../workload.js'

/**
 * The conversations, so that they travel by reference. A real application would keep them in a
 * database; memory is quicker, which keeps the floor low.
 */
const conversations = new Map<string, string[]>()

/** The model. */
export async function callModel(input: { question: string; step: number }): Promise<NextMove> {
  const observations = conversation()
  const move = nextMove(input.question, observations)
  if ('answer' in move) conversations.delete(runId())
  return move
}

/** The tool. */
export async function readPage(input: { page: number }): Promise<string> {
  const text = pageText(input.page)
  conversation().push(text)
  return text
}

function conversation(): string[] {
  const found = conversations.get(runId()) ?? []
  conversations.set(runId(), found)
  return found
}

function runId(): string {
  return Context.current().info.workflowExecution?.runId ?? ''
}
