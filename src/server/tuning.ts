import type { JsonValue } from '../contract/json.js'

/**
 * The dynamic configuration that perdure sets on every server that it starts. `deploy/dynamic-config.yaml`
 * is the same for a server of one's own; a test compares them.
 */
export const TUNING: Readonly<Record<string, JsonValue>> = {
  // 20 a second is the default: 50 ms of waiting for every dispatched task.
  'history.transferProcessorMaxPollRPS': 2000,
  // Servers before 1.32 have it off.
  'system.enableActivityEagerExecution': true,
}
