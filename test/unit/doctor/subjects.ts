import type { Client } from '@temporalio/client'
import type { Subject } from '../../../src/doctor/subject.js'

/** A set-up in which nothing is set, but for what a test changes of it. */
export function subject(more: Partial<Subject> = {}): Subject {
  return {
    client: {} as Client,
    address: '127.0.0.1:7233',
    namespace: 'default',
    taskQueue: 'perdure',
    agents: undefined,
    model: { apiKey: undefined, baseURL: undefined, model: undefined },
    completion: true,
    clock: async () => ({ aheadMs: 0, precisionMs: 1 }),
    redact: (text) => text,
    close: async () => {},
    ...more,
  }
}
