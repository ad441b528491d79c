import { isObject, type JsonObject, type JsonValue } from '../contract/json.js'
import type { Manifest } from '../contract/manifest.js'
import type { Agent } from '../definition/define-agent.js'

/** One part of a definition that is not what it was. */
export interface Drift {
  /** Such as `instructions`, `limits.maxSteps` or `tools.lookup_order.parameters.properties.id`. */
  readonly path: string
  /** What was recorded; undefined where there was nothing. */
  readonly recorded: JsonValue | undefined
  /** What it is today; undefined where there is nothing. */
  readonly now: JsonValue | undefined
}

/** How the definition that is compared was made. */
export interface DriftOptions {
  /** Who was asking: instructions may be made of it. */
  readonly context: JsonObject | null
  /** The name under which a worker of today has the model that an agent names. @default the same */
  readonly modelName?: ((name: string) => string) | undefined
}

/** What only the worker of the run knew. It is no part of the definition. */
const OF_THE_WORKER = new Set<string>([
  'heartbeatTimeoutMs',
  'loopVersion',
  'prices',
  'searchAttributes',
  'tokens',
] satisfies (keyof Manifest)[])

/** What in the definition of an agent differs today from the manifest of a run; empty when nothing does. */
export async function findDrift(
  recorded: Manifest,
  agent: Agent,
  { context, modelName = (name) => name }: DriftOptions,
): Promise<Drift[]> {
  const { fallbackModels = [], memory, ...definition } = agent.manifest
  const [model = '', ...fallbacks] = new Set([definition.model, ...fallbackModels].map(modelName))
  const summary = memory?.summary
  const now = {
    ...definition,
    ...(await instructionsNow(agent, context)),
    model,
    ...(fallbacks.length === 0 ? {} : { fallbackModels: fallbacks }),
    ...(memory === undefined ? {} : { memory }),
    ...(summary?.model === undefined
      ? {}
      : { memory: { ...memory, summary: { ...summary, model: modelName(summary.model) } } }),
  }
  return differences('', byName(recorded), byName(now)).filter(
    ({ path }) => !OF_THE_WORKER.has(path.split('.')[0] ?? ''),
  )
}

/** A context that does not fit any more, or a function that throws, is a change too. */
async function instructionsNow(
  agent: Agent,
  context: JsonObject | null,
): Promise<{ instructions: string }> {
  const checked = await agent.context?.safeParseAsync(context ?? undefined)
  if (checked?.success === false) {
    return { instructions: `(the run's context does not fit: ${checked.error.message})` }
  }
  try {
    return { instructions: agent.instructionsFor(checked === undefined ? context : checked.data) }
  } catch (error) {
    return { instructions: `(they cannot be made of the run's context: ${error})` }
  }
}

/** Tools and strategies by their names, so that one more in front is not a change of all. */
function byName({ tools = [], strategies = [], ...rest }: Partial<Manifest>): JsonObject {
  const named = (list: readonly { readonly name: string }[]) =>
    Object.fromEntries(list.map(({ name, ...fields }) => [name, fields]))
  return plain({ ...rest, tools: named(tools), strategies: named(strategies) })
}

/** As it is recorded: without what is undefined. */
function plain(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value))
}

function differences(
  path: string,
  recorded: JsonValue | undefined,
  now: JsonValue | undefined,
): Drift[] {
  if (isObject(recorded) && isObject(now)) {
    const keys = new Set([...Object.keys(recorded), ...Object.keys(now)])
    return [...keys].flatMap((key) =>
      differences(path === '' ? key : `${path}.${key}`, own(recorded, key), own(now, key)),
    )
  }
  return JSON.stringify(recorded) === JSON.stringify(now) ? [] : [{ path, recorded, now }]
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
