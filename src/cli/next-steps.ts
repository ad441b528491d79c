import { AgentLimitError } from '../client/errors/agent-limit-error.js'
import { AgentRunError } from '../client/errors/agent-run-error.js'
import { RunCancelledError } from '../client/errors/run-cancelled-error.js'
import type { LimitReason } from '../contract/run.js'

/** One thing that can be done about a run that has no result. */
export interface NextStep {
  readonly command: string
  readonly why: string
}

/** What can be done about a run that ended with `error`; `lastStep` is 0 when it had none. */
export function nextSteps(id: string, error: unknown, lastStep: number): NextStep[] {
  const name = quoted(id)
  const replay = { command: `perdure replay ${name}`, why: 'why it ended, and what differs today' }
  if (error instanceof AgentLimitError) return [forkWithLimits(name, error.reason, lastStep)]
  if (error instanceof RunCancelledError) return [retry(name, 'goes on where it was cancelled')]
  if (!(error instanceof AgentRunError)) return [replay]
  const step = error.step || Math.max(1, lastStep)
  const goOn = retry(name, 'goes on from there: what is done is neither paid nor done again')
  switch (error.reason) {
    case 'model_error':
      return [
        goOn,
        { command: `perdure fork ${name} --step ${step} --model <model>`, why: 'another model' },
        { command: `perdure replay ${name} --step ${step} --prompt`, why: 'what was sent' },
      ]
    case 'tool_failure':
      return [
        goOn,
        {
          command: `perdure fork ${name} --step ${step} --instructions <file>`,
          why: 'a new run from there, told to do without the tool',
        },
      ]
    case 'definition_error':
      return [
        {
          command: 'perdure doctor --agents <file>',
          why: 'mend what the message says, then start anew',
        },
      ]
    case 'state_too_large':
      return [
        {
          command: `perdure fork ${name} --step ${step}`,
          why: 'once the agent has a memory policy that keeps the conversation short',
        },
      ]
    case 'terminated':
    case 'timed_out':
      return [goOn]
    case 'failed':
      return [replay, goOn]
  }
}

function retry(name: string, why: string): NextStep {
  return { command: `perdure retry ${name}`, why }
}

/** A retry begins with the limits that were recorded; a fork has limits of its own. */
function forkWithLimits(name: string, reason: LimitReason, lastStep: number): NextStep {
  const step = Math.max(1, lastStep)
  if (reason === 'repeats' || reason === 'tool_errors') {
    return {
      command: `perdure fork ${name} --step ${step} --instructions <file>`,
      why: 'a new run from there, with other instructions',
    }
  }
  if (reason === 'interrupted') {
    return {
      command: `perdure fork ${name} --step ${step}`,
      why: 'a new run from there, which goes on with the work',
    }
  }
  const field = {
    max_steps: 'maxSteps',
    token_budget: 'maxTokens',
    cost_budget: 'maxCostUsd',
    deadline: 'deadlineMs',
  }[reason]
  return {
    command: `perdure fork ${name} --step ${step} --limits '{"${field}": …}'`,
    why: 'a new run from there, with a higher limit; a retry would meet the same one',
  }
}

/** An id as a shell takes it. */
function quoted(id: string): string {
  return /^[\w.:/@-]+$/.test(id) ? id : `'${id.replaceAll("'", `'\\''`)}'`
}
