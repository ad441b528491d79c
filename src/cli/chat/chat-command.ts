import { SessionError } from '../../client/errors/session-error.js'
import type { SessionHandle } from '../../client/session/session-handle.js'
import { line, styled, type Terminal } from '../terminal.js'

/** What may be typed beside questions. */
export const CHAT_HELP = `/steer <text>  says something to the running turn
/stop          ends the running turn with an answer from what there is
/cancel        ends the running turn at once
/status        what the session is doing
/close         ends the session; the same --id opens it again
/exit          leaves; the session stays open`

/** Runs a line that begins with a slash. */
export async function runChatCommand(
  text: string,
  {
    session,
    terminal: { out },
    by,
  }: { session: SessionHandle; terminal: Terminal; by: string | undefined },
): Promise<'leave' | 'stay'> {
  const [, name = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(text) ?? []
  const who = by === undefined ? {} : { by }
  try {
    switch (name) {
      case 'steer':
        await session.steer(rest)
        line(out, styled(out, 'dim', 'it reaches the turn before its next model call'))
        return 'stay'
      case 'stop':
        await session.interrupt(who)
        return 'stay'
      case 'cancel':
        await session.cancelTurn(who)
        return 'stay'
      case 'status':
        line(out, await statusLine(session))
        return 'stay'
      case 'close':
        await session.close()
        return 'leave'
      case 'exit':
      case 'quit':
        return 'leave'
      default:
        line(out, CHAT_HELP)
        return 'stay'
    }
  } catch (error) {
    if (!(error instanceof SessionError)) throw error
    line(out, styled(out, 'red', error.message))
    return 'stay'
  }
}

async function statusLine(session: SessionHandle): Promise<string> {
  const { turns, running, queued, waitingFor, closing } = await session.status()
  const [first] = waitingFor
  return [
    `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    running === null ? 'idle' : `turn ${running} is running`,
    ...(queued > 0 ? [`${queued} wait`] : []),
    ...(first === undefined
      ? []
      : [`waits for ${first.kind === 'approval' ? 'approval' : 'an answer'}`]),
    ...(closing ? ['closing'] : []),
  ].join(' · ')
}
