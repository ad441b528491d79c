import { tsToMs } from '@temporalio/common/lib/time.js'
import { GRPC, grpcCode } from '../../client/errors/grpc.js'
import type { Check } from '../check.js'

const HOUR_MS = 3_600_000
const REGISTERED = 1

/** The namespace exists. */
export const namespace: Check = {
  name: 'namespace',
  needs: ['server'],
  deadlineMs: 5_000,
  look: async ({ client, namespace: name }) => {
    try {
      const about = await client.workflowService.describeNamespace({ namespace: name })
      if (about.namespaceInfo?.state !== REGISTERED) {
        return [{ status: 'fail', text: `"${name}" is being deleted`, fix: OTHER }]
      }
      const hours = tsToMs(about.config?.workflowExecutionRetentionTtl) / HOUR_MS
      const kept = hours % 24 === 0 ? `${hours / 24} d` : `${hours.toFixed(1)} h`
      return [{ status: 'ok', text: `"${name}" keeps runs for ${kept} after their end` }]
    } catch (error) {
      if (grpcCode(error) !== GRPC.notFound) throw error
      const create = `temporal operator namespace create -n ${name}`
      return [{ status: 'fail', text: `there is no "${name}"`, fix: `${OTHER}, or ${create}` }]
    }
  },
}

const OTHER = 'check TEMPORAL_NAMESPACE or the TOML profile'
