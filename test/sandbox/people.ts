import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { callTool, callTools, hang, say } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { untilWaiting } from '../kit/until-waiting.js'
import type { Scenario } from './scenario.js'

const pay = defineTool({
  name: 'pay',
  description: 'Use to pay.',
  input: z.object({ amount: z.number() }),
  annotations: { idempotentHint: true },
  approval: 'always',
  execute: ({ amount }) => `paid ${amount}`,
})

const agents = [testAgent({ tools: [lookup, pay], askUser: true, approvals: { deadline: '2s' } })]

/** Runs and sessions in which people say something. */
export const PEOPLE: Readonly<Record<string, Scenario>> = {
  approvals: {
    agents,
    model: {
      script: [
        callTools([
          { name: 'pay', args: { amount: 1 } },
          { name: 'lookup', args: { id: 'A1' } },
          { name: 'pay', args: { amount: 2 } },
        ]),
        callTool('ask_user', { question: 'Which one?' }),
        callTool('pay', { amount: 3 }),
        say('done'),
      ],
    },
    during: async (run) => {
      const [first, second] = await untilWaiting(run, 2)
      await run.approve(first.id, { by: 'ann', args: { amount: 10 } })
      await run.deny(second?.id ?? '', { by: 'ann', reason: 'too much' })
      await untilWaiting(run)
      await run.answer('the first')
      // The third call expires.
    },
  },
  // The server that records suggests continuing as new at 40 events.
  session: {
    agents,
    model: {
      script: [
        callTool('lookup', { id: 'A1' }),
        say('It is here.'),
        { kind: 'delay', ms: 300, reply: callTool('lookup', { id: 'A2' }) },
        callTool('pay', { amount: 5 }),
        say('Both are here, and paid.'),
        hang(),
        { kind: 'delay', ms: 300, reply: callTool('lookup', { id: 'A3' }) },
        say('That is what I have.'),
        say('Good-bye.'),
      ],
    },
    session: async (session, model) => {
      await session.ask('Where is A1?', { requestId: 'r1' })
      const second = session.ask('And A2?', { requestId: 'r2' })
      await model.waitFor(3)
      await session.steer('and pay it')
      const [request] = await untilWaiting(session)
      await session.approve(request.id, { all: true })
      await second
      const third = session.ask('Hang.', { requestId: 'r3' }).catch(() => {})
      await model.waitFor(6)
      await session.cancelTurn()
      await third
      const fourth = session.ask('Look for A3.', { requestId: 'r4' })
      await model.waitFor(7)
      await session.interrupt()
      await fourth
      await session.ask('Thank you.', { requestId: 'r5' })
    },
  },
}
