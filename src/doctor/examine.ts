import { messageOf } from '../client/errors/grpc.js'
import { shorten } from '../contract/text.js'
import type { Check } from './check.js'
import type { Finding, Found } from './finding.js'
import type { Subject } from './subject.js'
import { within } from './within.js'

/** Characters of an error's message at most. */
const MAX_CHARS = 500

/**
 * Makes the checks one after the other and tells what each found as soon as it has. A check never throws
 * and never hangs: an error is a finding, and so is a deadline that has passed.
 */
export async function* examine(
  checks: readonly Check[],
  subject: Subject,
): AsyncGenerator<Finding, void> {
  /** Checks that nothing can be built on. */
  const lost = new Set<string>()
  for (const check of checks) {
    const missing = check.needs.find((name) => lost.has(name))
    const found: readonly Found[] =
      missing === undefined
        ? await look(check, subject)
        : [{ status: 'skip', text: `not looked at, since "${missing}" is not ok` }]
    if (found.some(({ status }) => status === 'fail' || status === 'skip')) lost.add(check.name)
    for (const one of found) yield { check: check.name, ...clean(one, subject) }
  }
}

async function look(check: Check, subject: Subject): Promise<readonly Found[]> {
  try {
    return await within(check.deadlineMs, (signal) => check.look(subject, signal))
  } catch (error) {
    return [{ status: 'fail', text: shorten(subject.redact(messageOf(error)), MAX_CHARS) }]
  }
}

/** One line, without the keys in use. */
function clean({ status, text, fix }: Found, { redact }: Subject): Found {
  const line = (words: string) => redact(words).replace(/\s+/g, ' ').trim()
  return { status, text: line(text), ...(fix === undefined ? {} : { fix: line(fix) }) }
}
