import type { Step } from '../../src/client/history/step.js'
import { type AgentClient, AgentLimitError, AgentRunError } from '../../src/client.js'
import { attempts } from './attempts.js'

/** How a run ended, and what its history tells of the way. */
export interface RunFigures {
  /** The stop reason, or the reason of its failure. */
  readonly end: string
  /** The answer, or the message of its failure. */
  readonly text: string
  readonly steps: readonly Step[]
  /** Attempts at model calls. */
  readonly attempts: number
  /** Requests sent again without a parameter that the server refused. */
  readonly resends: number
  readonly workflowTaskFailures: number
}

/** Waits for the end of a run and reads its history. Rejects when it ended in any way but a named one. */
export async function runFigures(client: AgentClient, id: string): Promise<RunFigures> {
  const run = client.get(id)
  const { end, text } = await run.result().then(
    ({ stopReason, answer }) => ({ end: stopReason as string, text: answer }),
    (error: unknown) => {
      if (!(error instanceof AgentRunError || error instanceof AgentLimitError)) throw error
      return { end: error.reason as string, text: error.message }
    },
  )
  const history = await client.client.workflow.getHandle(run.id).fetchHistory()
  const events = history.events ?? []
  const steps = await run.steps()
  const resends = steps.reduce((sum, { adapted }) => sum + adapted.length, 0)
  const workflowTaskFailures = events.filter((e) => e.workflowTaskFailedEventAttributes).length
  return {
    end,
    text,
    steps,
    resends,
    workflowTaskFailures,
    attempts: attempts(events, 'callModel'),
  }
}
