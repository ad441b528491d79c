import { proxySinks, type Sinks, type WorkflowInterceptors } from '@temporalio/workflow'

/** One command that the workflow code made. */
export interface TracedCommand {
  /** The field of Temporal's command, such as `scheduleActivity`. */
  readonly field: string
  /** An activity's type, a patch's id; '' for others. */
  readonly name: string
  /** Where it was made; '' where the SDK does not tell. */
  readonly stack: string
}

/** Takes the commands out of the sandbox. */
export interface TraceSinks extends Sinks {
  readonly perdureTrace: { commands(made: readonly TracedCommand[]): void }
}

/** What all commands of the SDK have that are answered, and what some have. */
interface CommandBody {
  readonly seq?: number | null
  readonly activityType?: string | null
  readonly patchId?: string | null
}

const { perdureTrace } = proxySinks<TraceSinks>()

/** Activities and timers are counted apart. */
const stacks = new Map<string, string>()

function remember(kind: string, seq: number): void {
  stacks.set(`${kind} ${seq}`, new Error().stack ?? '')
}

/** Tells each command that the workflow makes, with the place in the code. Only for replays. */
export const interceptors = (): WorkflowInterceptors => ({
  outbound: [
    {
      scheduleActivity(input, next) {
        remember('activity', input.seq)
        return next(input)
      },
      scheduleLocalActivity(input, next) {
        remember('activity', input.seq)
        return next(input)
      },
      startTimer(input, next) {
        remember('timer', input.seq)
        return next(input)
      },
    },
  ],
  internals: [
    {
      concludeActivation(input, next) {
        const output = next(input)
        perdureTrace.commands(output.commands.flatMap((command) => traced(Object.entries(command))))
        return output
      },
    },
  ],
})

function traced(fields: readonly [string, unknown][]): TracedCommand[] {
  const [field, value] = fields.find(([name]) => name !== 'userMetadata') ?? []
  if (field === undefined) return []
  const { seq, activityType, patchId } = (value ?? {}) as CommandBody
  const kind = field === 'startTimer' ? 'timer' : 'activity'
  return [{ field, name: activityType ?? patchId ?? '', stack: stacks.get(`${kind} ${seq}`) ?? '' }]
}
