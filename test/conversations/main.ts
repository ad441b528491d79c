// npm run conversations: 100 conversations of 30 turns at once, while workers are killed with -9.
import { randomUUID } from 'node:crypto'
import { serverConfig } from '../../src/config.js'
import { startDevServer } from '../../src/testing/index.js'
import { installQuietRuntime } from '../kit/quiet-runtime.js'
import { stormConversations } from './stage.js'

const COUNT = 100

async function main(): Promise<void> {
  installQuietRuntime()
  const log = (line: string) => process.stderr.write(`${line}\n`)
  const { path, dir } = serverConfig()
  const server = await startDevServer({ path, dir, headless: true, log })
  const ends: (() => Promise<void>)[] = []
  try {
    const { faults, kills, turns, requests, seconds } = await stormConversations({
      address: server.address,
      count: COUNT,
      workers: 2,
      every: [15_000, 25_000],
      // Of a loaded machine: what is decided must not be too late.
      deadline: '2 minutes',
      seed: 20_261_201,
      taskQueue: `talk-${randomUUID()}`,
      onEnd: (end) => ends.push(end),
      log,
    })
    for (const fault of faults) log(fault)
    process.stdout.write(
      `${COUNT} conversations, ${turns} turns, ${requests} requests to the model, ${kills} kills, ${seconds} s: ${faults.length} faults\n`,
    )
    process.exitCode = faults.length === 0 ? 0 : 1
  } finally {
    for (const end of ends.reverse()) await end()
    await server.kill()
  }
}

await main()
