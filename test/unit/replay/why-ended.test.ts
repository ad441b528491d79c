import { fileURLToPath } from 'node:url'
import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/data-converter-helpers.js'
import { describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../../src/client/history/read-events.js'
import { readRun } from '../../../src/replay/read-run.js'
import { readHistory } from '../../../src/replay.js'

async function endOf(name: string, change = (events: HistoryEvent[]) => events) {
  const file = fileURLToPath(new URL(`../../sandbox/histories/${name}.json`, import.meta.url))
  const { id, executions } = await readHistory(file)
  const changed = executions.map(({ runId, events }) => ({ runId, events: change([...events]) }))
  return (await readRun({ id, executions: changed }, loadDataConverter())).end
}

/** The history up to the last event that a condition holds for. */
function upTo(condition: (event: HistoryEvent) => unknown) {
  return (events: HistoryEvent[]) => events.slice(0, events.findLastIndex(condition) + 1)
}

/** The history with another last event. */
function ending(last: HistoryEvent) {
  return (events: HistoryEvent[]) => [...events.slice(0, -1), last]
}

describe('why a run ended, in one line', () => {
  it.each([
    ['answered', 'completed', 'answered: the model answered, after 2 steps'],
    ['max-steps', 'completed', 'max_steps: the limit of steps was reached, after 3 steps'],
    ['repeats', 'completed', /^repeats: the same calls gave the same results/],
    ['tool-errors', 'completed', /^tool_errors: steps in a row brought nothing but errors/],
    ['refusal', 'completed', 'refusal: the model refused, after 1 step'],
    ['empty-reply', 'completed', /^empty_reply: .* after 2 steps$/],
    ['limit-failed', 'failed', /^max_steps: .* \(the agent says onLimit: 'fail'\)$/],
    ['model-error', 'failed', /^model_error: HTTP 401: .* \(step 1, 1 attempt\)$/],
    ['tool-failure', 'failed', /^tool_failure: flaky threw .* \(step 1, flaky, 3 attempts\)$/],
    ['definition-error', 'failed', /^definition_error: This worker has no agent "nobody"/],
    ['cancelled-in-model-call', 'cancelled', 'cancelled'],
    ['continued-as-new', 'continued', /goes on in an execution whose history is not here/],
  ])('%s', async (name, status, text) => {
    expect(await endOf(name)).toMatchObject({ status, text: expect.stringMatching(text) })
  })

  it('terminated: by whom and why', async () => {
    const attributes = { identity: 'jo@laptop', reason: 'wrong order' }
    const end = await endOf(
      'answered',
      ending({ workflowExecutionTerminatedEventAttributes: attributes }),
    )
    expect(end).toMatchObject({ status: 'terminated', text: 'terminated: jo@laptop: wrong order' })
  })

  it('timed out', async () => {
    const end = await endOf('answered', ending({ workflowExecutionTimedOutEventAttributes: {} }))
    expect(end.text).toMatch(/^timed_out: /)
  })

  it.each([
    ['the model', 'callModel', 'running: step 2 waits for the model'],
    ['a tool', 'lookup', 'running: step 1 waits for lookup'],
  ])('still running: waits for %s', async (_, type, text) => {
    const scheduled = (event: HistoryEvent) =>
      event.activityTaskScheduledEventAttributes?.activityType?.name === type
    expect(await endOf('answered', upTo(scheduled))).toMatchObject({ status: 'running', text })
  })

  it('stuck: what its workflow task fails with', async () => {
    const failure = { message: 'x is not a function' }
    const end = await endOf('answered', ending({ workflowTaskFailedEventAttributes: { failure } }))
    expect(end.text).toBe(
      'running: stuck until a deployment mends it, its workflow task fails: x is not a function',
    )
  })
})
