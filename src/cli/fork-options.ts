import { msToNumber, type StringValue } from '@temporalio/common/lib/time.js'
import { InvalidArgumentError } from 'commander'
import type { Limits } from '../contract/manifest.js'

type LimitName = keyof Limits

/** The names of limits on the command line. */
const LIMITS: Readonly<Record<string, LimitName>> = {
  'max-steps': 'maxSteps',
  'max-tokens': 'maxTokens',
  'max-cost-usd': 'maxCostUsd',
  deadline: 'deadlineMs',
}

/** `max-steps=20,max-tokens=50000`: limits of a turn. */
export function limitsArgument(text: string, before: Partial<Limits> | undefined): Partial<Limits> {
  const entries = text.split(',').map((part): [LimitName, number] => {
    const [name = '', value = ''] = part.split('=').map((half) => half.trim())
    const limit = Object.hasOwn(LIMITS, name) ? LIMITS[name] : undefined
    const number =
      limit === 'deadlineMs' ? duration(value) : Number(value === '' ? Number.NaN : value)
    if (limit === undefined || !(number > 0)) {
      throw new InvalidArgumentError(
        'Give limits such as max-steps=20,max-tokens=50000,max-cost-usd=0.5,deadline=10m.',
      )
    }
    return [limit, number]
  })
  return { ...before, ...Object.fromEntries(entries) }
}

/** `2.1=text`: another observation for a call, by its step and place. May be given more than once. */
export function observationArgument(
  text: string,
  before: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const match = /^(\d+\.\d+)=([\s\S]*)$/.exec(text)
  if (match === null) {
    throw new InvalidArgumentError(
      'Give <step>.<call>=<text>, such as 2.1="not found": the first call of step 2.',
    )
  }
  return { ...before, [match[1] ?? '']: match[2] ?? '' }
}

function duration(text: string): number {
  try {
    return msToNumber(text as StringValue)
  } catch {
    return Number.NaN
  }
}
