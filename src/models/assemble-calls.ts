/** A tool call that is still growing. */
export interface OpenCall {
  readonly index: number | null
  id: string
  name: string
  /** Text that grows; some servers send an object at once. */
  args: unknown
}

/** One piece of a tool call, as far as the server filled it in. */
export interface CallDelta {
  readonly index?: number | null | undefined
  readonly id?: string | null | undefined
  readonly name?: string | null | undefined
  readonly args?: unknown
}

/**
 * Adds a piece to the call that it belongs to, or begins a new call. By index where there is one, except
 * that another id is another call (some servers number all calls 0); else by id; else it goes on with the
 * newest call. A piece with a name after complete arguments is another call, or the same said again.
 */
export function addCallDelta(calls: OpenCall[], delta: CallDelta): void {
  const open = target(calls, delta)
  if (open === undefined || (delta.name && hasMore(open, delta) && isComplete(open))) {
    if (open === undefined || !isSaidAgain(open, delta)) calls.push(newCall(delta))
    return
  }
  if (open.id === '') open.id = delta.id ?? ''
  // Sent whole with each piece by some servers, in pieces by others.
  if (delta.name && delta.name !== open.name) open.name += delta.name
  if (typeof delta.args === 'string' && typeof open.args === 'string') open.args += delta.args
  else if (!isBlank(delta.args)) open.args = delta.args
}

function newCall({ index, id, name, args }: CallDelta): OpenCall {
  return { index: index ?? null, id: id ?? '', name: name ?? '', args: args ?? '' }
}

function target(calls: readonly OpenCall[], { index, id }: CallDelta): OpenCall | undefined {
  if (typeof index === 'number') {
    return calls.findLast((call) => call.index === index && !isOther(call, id))
  }
  return id ? calls.findLast((call) => call.id === id) : calls.at(-1)
}

function isOther(open: OpenCall, id: string | null | undefined): boolean {
  return Boolean(id) && open.id !== '' && open.id !== id
}

/** Some servers send the whole call once more at its end. */
function isSaidAgain(open: OpenCall, { id, args }: CallDelta): boolean {
  return Boolean(id) && open.id === id && args === open.args
}

function hasMore(open: OpenCall, { name, args }: CallDelta): boolean {
  return !isBlank(args) || (Boolean(name) && name !== open.name)
}

function isBlank(args: unknown): boolean {
  return args === undefined || args === null || (typeof args === 'string' && args.trim() === '')
}

/** Longer arguments are refused anyway, and reading them again with each piece would take minutes. */
const MAX_READ_CHARS = 400_000

/** A number may go on, whatever else is JSON may not. */
function isComplete({ args }: OpenCall): boolean {
  if (typeof args !== 'string') return true
  // Nothing else can be the end of a JSON text; a glance saves reading it again with each piece.
  if (args.length > MAX_READ_CHARS || !/[\]}"a-z]\s*$/.test(args)) return false
  try {
    return typeof JSON.parse(args) !== 'number'
  } catch {
    return false
  }
}
