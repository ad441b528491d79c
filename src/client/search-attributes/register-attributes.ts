import { setTimeout as sleep } from 'node:timers/promises'
import type { OperatorService } from '@temporalio/client'
import { GRPC, grpcCode, isRefusal, messageOf } from '../errors/grpc.js'
import { type AttributeState, typeNumber } from './attribute-state.js'
import { probeAttributes, type RunCounter } from './probe-attributes.js'
import { type AttributeReader, readAttributes } from './read-attributes.js'

/** Milliseconds that new attributes may take until every part of the server knows them. */
const VISIBLE_MS = 30_000
const POLL_MS = 200
/** What SQL visibility says when a namespace has all the attributes of a type that it can have. */
const LIMIT = /cannot have more than (\d+) search attribute/i

/** What became of one search attribute. */
export interface SetUpAttribute extends Omit<AttributeState, 'status'> {
  /**
   * Missing still: the credentials may not add it, the namespace has no room for another of its type, the
   * server answered with an error, or it is registered and not to be seen yet.
   */
  readonly status:
    | 'there'
    | 'registered'
    | 'other_type'
    | 'not_allowed'
    | 'no_room'
    | 'failed'
    | 'not_visible'
  /** What the server said, where the attribute is missing. */
  readonly why?: string
}

/** What {@link registerAttributes} needs of Temporal. */
export interface RegisterOptions {
  readonly operatorService: AttributeReader & Pick<OperatorService, 'addSearchAttributes'>
  readonly workflowService: RunCounter
  readonly namespace: string
  /** Milliseconds to wait for new ones to be usable. @default 30000 */
  readonly visibleMs?: number
}

/**
 * Registers the search attributes of perdure that a namespace lacks, one by one, and waits until they can
 * be used. Changes nothing that is there; may be called again.
 */
export async function registerAttributes(
  options: RegisterOptions,
): Promise<readonly SetUpAttribute[]> {
  const { operatorService, workflowService, namespace } = options
  const result: SetUpAttribute[] = []
  let refusal: string | undefined
  const states = await readAttributes(operatorService, namespace).catch((error: unknown) => {
    if (!isRefusal(error)) throw error
    refusal = messageOf(error)
    return probeAttributes(workflowService, namespace)
  })
  for (const { status, ...attribute } of states) {
    if (status !== 'missing') result.push({ ...attribute, status })
    else if (refusal !== undefined) {
      result.push({ ...attribute, status: 'not_allowed', why: refusal })
    } else {
      const added = await add(options, attribute)
      if (added.status === 'not_allowed') refusal = added.why
      result.push({ ...attribute, ...added })
    }
  }
  return await whenVisible(options, result)
}

async function add(
  { operatorService, namespace }: RegisterOptions,
  { name, type }: Pick<AttributeState, 'name' | 'type'>,
): Promise<Pick<SetUpAttribute, 'status' | 'why'>> {
  try {
    const searchAttributes = { [name]: typeNumber(type) }
    await operatorService.addSearchAttributes({ namespace, searchAttributes })
    return { status: 'registered' }
  } catch (error) {
    // Another one was quicker.
    if (grpcCode(error) === GRPC.alreadyExists) return { status: 'registered' }
    const why = messageOf(error)
    if (isRefusal(error)) return { status: 'not_allowed', why }
    return { status: LIMIT.test(why) ? 'no_room' : 'failed', why }
  }
}

/** The parts of a server learn of an attribute one after the other: the last are those that search. */
async function whenVisible(
  { operatorService, workflowService, namespace, visibleMs = VISIBLE_MS }: RegisterOptions,
  result: readonly SetUpAttribute[],
): Promise<readonly SetUpAttribute[]> {
  const added = new Set(result.filter(isRegistered).map(({ name }) => name))
  const deadline = Date.now() + visibleMs
  while (added.size > 0) {
    const both = [
      readAttributes(operatorService, namespace),
      probeAttributes(workflowService, namespace),
    ]
    const states = (await Promise.all(both)).flat()
    const unseen = new Set(
      states.filter(({ name, status }) => added.has(name) && status !== 'there').map(nameOf),
    )
    if (unseen.size === 0) break
    if (Date.now() > deadline) {
      return result.map((one) =>
        unseen.has(one.name) ? { ...one, status: 'not_visible' as const } : one,
      )
    }
    await sleep(POLL_MS)
  }
  return result
}

function isRegistered({ status }: SetUpAttribute): boolean {
  return status === 'registered'
}

function nameOf({ name }: AttributeState) {
  return name
}
