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
 * newest call, unless that is complete and this one has a name.
 */
export function addCallDelta(calls: OpenCall[], delta: CallDelta): void {
  const open = target(calls, delta)
  if (open === undefined) {
    calls.push({
      index: delta.index ?? null,
      id: delta.id ?? '',
      name: delta.name ?? '',
      args: delta.args ?? '',
    })
    return
  }
  if (open.id === '') open.id = delta.id ?? ''
  // Sent whole with each piece by some servers, in pieces by others.
  if (delta.name && delta.name !== open.name) open.name += delta.name
  if (typeof delta.args === 'string' && typeof open.args === 'string') open.args += delta.args
  else if (delta.args !== undefined && delta.args !== null) open.args = delta.args
}

function target(calls: readonly OpenCall[], delta: CallDelta): OpenCall | undefined {
  const { index, id, name } = delta
  if (typeof index === 'number') {
    const open = calls.findLast((call) => call.index === index)
    return open !== undefined && isOther(open, id) ? undefined : open
  }
  if (id) return calls.find((call) => call.id === id)
  const last = calls.at(-1)
  return last !== undefined && name && isComplete(last) ? undefined : last
}

function isOther(open: OpenCall, id: string | null | undefined): boolean {
  return Boolean(id) && open.id !== '' && open.id !== id
}

function isComplete({ args }: OpenCall): boolean {
  if (typeof args !== 'string') return true
  try {
    JSON.parse(args)
    return true
  } catch {
    return false
  }
}
