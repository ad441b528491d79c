import { GRPC, grpcCode, messageOf } from '../../client/errors/grpc.js'
import type { Check } from '../check.js'
import type { Subject } from '../subject.js'
import { whyUnreachable } from '../why-unreachable.js'
import { within } from '../within.js'

/** Milliseconds that the first answer may take, the connection included. */
const ANSWER_MS = 5_000

/** The server answers, and these credentials may talk to it. */
export const server: Check = {
  name: 'server',
  needs: [],
  deadlineMs: 10_000,
  look: async (subject) => {
    const { address, client } = subject
    try {
      const { serverVersion } = await within(ANSWER_MS, () =>
        client.workflowService.getSystemInfo({}),
      )
      return [{ status: 'ok', text: `Temporal ${serverVersion} answers at ${address}` }]
    } catch (error) {
      return [{ status: 'fail', ...(await explain(error, subject)) }]
    }
  },
}

async function explain(error: unknown, { address }: Subject) {
  const code = grpcCode(error)
  if (code === GRPC.unauthenticated || code === GRPC.permissionDenied) {
    return {
      text: `${address} refuses these credentials: ${messageOf(error)}`,
      fix: 'check TEMPORAL_API_KEY or the TLS certificate (or the TOML profile)',
    }
  }
  return {
    text: `no connection to Temporal at ${address}: ${await whyUnreachable(address)}`,
    fix: 'check TEMPORAL_ADDRESS, or start a server: "perdure dev" does',
  }
}
