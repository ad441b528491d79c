import type { PendingRequest } from '../contract/requests.js'
import { callText } from './call-text.js'
import { line, styled } from './terminal.js'

/** Prints what waits for a person: the call with all of its arguments, and why; or the question. */
export function printRequest(stream: NodeJS.WriteStream, request: PendingRequest): void {
  const { kind, id, tool, args, text, turn, step } = request
  if (kind === 'question') {
    line(stream, `${styled(stream, 'yellow', 'question')} ${text}`)
  } else {
    const name = styled(stream, 'bold', tool)
    const call = `${name}${callText('', args, true)}`
    line(stream, `${styled(stream, 'yellow', 'waits for approval')} ${call}`)
    if (text !== '') line(stream, `  ${text}`)
  }
  const place = `call ${id} · turn ${turn}, step ${step}`
  line(stream, styled(stream, 'dim', `  ${place} · ${times(request, Date.now())}`))
}

/** Since when a request waits, and until when. */
export function times({ kind, since, deadline }: PendingRequest, now: number): string {
  const end = kind === 'question' ? 'given up' : 'denied'
  return `since ${moment(since)} (${age(now - since)}) · ${end} at ${moment(deadline)} if nobody answers`
}

function moment(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** `12 s`, `5 min`, `3 h`, `2 d`. */
function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} d`
}
