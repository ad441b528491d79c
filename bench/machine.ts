import { cpus, loadavg, totalmem } from 'node:os'
import type { Client } from '@temporalio/client'
import sdk from '@temporalio/client/package.json' with { type: 'json' }
import type { Machine } from './results.js'

/** Describes this machine in general words, before anything is started on it. */
export function describeMachine(): Omit<Machine, 'temporalServer'> {
  return {
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    temporalSdk: sdk.version,
    loadBefore: loadavg()[0] ?? 0,
  }
}

/** The version of the server that a client is connected to. */
export async function serverVersion(client: Client): Promise<string> {
  return (await client.workflowService.getSystemInfo({})).serverVersion ?? 'unknown'
}
