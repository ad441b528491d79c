import type { AgentActivities, ToolOutcome } from '../contract/activities.js'
import type { ToolManifest } from '../contract/manifest.js'
import type { AssistantMessage, ToolCall } from '../contract/messages.js'
import { errorText } from '../contract/observation.js'
import type { RunState } from '../contract/run.js'

/** A call with the tool that answers it; no tool when the call must not run. */
interface PlannedCall {
  readonly call: ToolCall
  readonly place: number
  readonly tool: ToolManifest | undefined
}

/** For a call that a worker of another deployment took for good. */
const NO_TOOL = errorText({
  error_type: 'unknown_tool',
  message: 'There is no such tool.',
  retryable: false,
})

/**
 * Runs the calls of one reply: beside each other, but a tool (or an agent) that says `parallel: false`
 * alone. The outcomes come in call order, whatever finishes first.
 */
export async function runCalls(
  state: RunState,
  reply: AssistantMessage,
  effects: Pick<AgentActivities, 'runTool'>,
): Promise<ToolOutcome[]> {
  const outcomes: ToolOutcome[] = []
  for (const batch of batches(state, reply.calls)) {
    outcomes.push(...(await Promise.all(batch.map((planned) => run(state, planned, effects)))))
  }
  return outcomes
}

function run(
  state: RunState,
  { call, place, tool }: PlannedCall,
  effects: Pick<AgentActivities, 'runTool'>,
): Promise<ToolOutcome> {
  if (tool === undefined) return Promise.resolve({ text: call.problem ?? NO_TOOL, error: true })
  return effects.runTool(tool, {
    turn: state.turn,
    step: state.step,
    call: place,
    args: call.args,
    context: state.context,
    origin: state.origin,
  })
}

/** Splits the calls into batches that run one after the other. */
function batches(state: RunState, calls: readonly ToolCall[]): PlannedCall[][] {
  const result: PlannedCall[][] = []
  let open: PlannedCall[] | undefined
  for (const [index, call] of calls.entries()) {
    const tool = toolOf(state, call)
    const planned = { call, place: index + 1, tool }
    if (!state.manifest.parallel || tool?.parallel === false) {
      result.push([planned])
      open = undefined
    } else if (open === undefined) {
      open = [planned]
      result.push(open)
    } else {
      open.push(planned)
    }
  }
  return result
}

function toolOf(state: RunState, call: ToolCall): ToolManifest | undefined {
  if (call.problem !== undefined) return undefined
  return state.manifest.tools.find((tool) => tool.name === call.name)
}
