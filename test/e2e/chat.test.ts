import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { callTool, type Respond, say } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

interface Chat {
  readonly child: ChildProcess
  type(text: string): void
  /** Resolves once stdout and stderr together hold the text. */
  says(text: string): Promise<void>
  said(): string
  end(): Promise<number | null>
}

function startChat(args: readonly string[]): Chat {
  const child = spawn(process.execPath, ['--import', 'tsx', CLI, 'chat', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  let output = ''
  const seen = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const look of seen) look()
    })
  }
  return {
    child,
    type: (text) => child.stdin.write(`${text}\n`),
    said: () => output,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (output.includes(text)) resolve()
        }
        seen.add(look)
        child.once('close', () => reject(new Error(`ended without saying "${text}":\n${output}`)))
        look()
      }),
    end: async () => {
      child.stdin.end()
      return await exited
    },
  }
}

const paid: object[] = []
const pay = defineTool({
  name: 'pay',
  description: 'Use to pay.',
  input: z.object({ amount: z.number() }),
  annotations: { idempotentHint: true },
  approval: ({ amount }) => (amount > 100 ? `${amount} is above 100` : false),
  execute: (args) => {
    paid.push(args)
    return `paid ${args.amount}`
  },
})

async function startStage(respond: Respond): Promise<readonly string[]> {
  const agents = [testAgent({ tools: [lookup, pay] })]
  const { taskQueue } = await startHarness({ agents, respond })
  return ['test-agent', '--address', inject('temporal').address, '--task-queue', taskQueue]
}

test('a conversation: live steps, an approval that is edited at the prompt, commands, and coming back', async () => {
  const place = await startStage(({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return say(`It says: ${last.content}`)
    if (`${last?.content}`.startsWith('pay')) return callTool('pay', { amount: 150 })
    return `${last?.content}`.startsWith('look')
      ? callTool('lookup', { id: 'A1' })
      : say(`You said: ${last?.content}`)
  })
  const id = `chat-${randomUUID()}`
  const chat = startChat([...place, '--id', id])
  await chat.says(`session ${id}`)
  chat.type('look for A1')
  await chat.says('It says: {"id":"A1","found":true}')
  expect(chat.said()).toContain('lookup(id: "A1")')
  chat.type('pay me')
  await chat.says('waits for approval pay(amount: 150) · 150 is above 100')
  chat.type('what?')
  await chat.says('y: approve')
  chat.type('e {"amount": -')
  await chat.says('Give the arguments as a JSON object')
  chat.type('e {"amount": 80}')
  await chat.says('It says: [note: a person changed the arguments')
  chat.type('/status')
  await chat.says('2 turns · idle')
  chat.type('/steer hello')
  await chat.says('No turn is running')
  chat.type('/help')
  await chat.says('/cancel')
  chat.type('hello')
  await chat.says('You said: hello')
  expect(await chat.end()).toBe(0)
  expect(chat.said()).toContain(`come back: perdure chat test-agent --id ${id}`)
  expect(paid).toEqual([{ amount: 80 }])

  const again = startChat([...place, '--id', id])
  await again.says(`session ${id}, where you left it`)
  again.type('/status')
  await again.says('3 turns · idle')
  again.type('/exit')
  expect(await again.end()).toBe(0)
})

test('Ctrl-C in the middle of a turn leaves it running; the same id shows it and its answer', async () => {
  const place = await startStage((_, { index }) =>
    index < 4
      ? { kind: 'delay', ms: 1_000, reply: callTool('lookup', { id: `A${index}` }) }
      : say('Found all four.'),
  )
  const id = `chat-${randomUUID()}`
  const chat = startChat([...place, '--id', id])
  chat.type('look for everything')
  await chat.says('lookup(id: "A0")')
  chat.child.kill('SIGINT')
  expect(await chat.end()).toBe(130)
  expect(chat.said()).toContain('come back: perdure chat test-agent')
  const again = startChat([...place, '--id', id])
  await again.says('turn 1 is running')
  await again.says('Found all four.')
  expect(await again.end()).toBe(0)
})
