import { isRefusal } from '../../client/errors/grpc.js'
import type { Check } from '../check.js'

/** Milliseconds from which on times of two machines cannot be compared any more. */
const MAX_SKEW_MS = 1_000

/** This machine and the server have the same time. */
export const clock: Check = {
  name: 'clock',
  needs: ['namespace'],
  deadlineMs: 5_000,
  look: async (subject) => {
    try {
      const { aheadMs, precisionMs } = await subject.clock()
      const side = aheadMs < 0 ? 'behind' : 'ahead of'
      const text = `this machine is ${ms(Math.abs(aheadMs))} ${side} the server, give or take ${ms(precisionMs)}`
      if (Math.abs(aheadMs) - precisionMs < MAX_SKEW_MS) return [{ status: 'ok', text }]
      return [{ status: 'warn', text, fix: 'synchronise both with NTP' }]
    } catch (error) {
      if (!isRefusal(error)) throw error
      return [{ status: 'skip', text: 'these credentials may not poll, which tells the time' }]
    }
  },
}

function ms(value: number): string {
  return `${Math.max(1, Math.round(value))} ms`
}
