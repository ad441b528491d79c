import { expect } from 'vitest'
import { callTool, hang, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startOwnServer } from '../kit/own-server.js'
import { later, openStage } from './kit.js'

/** The signal that brings a user's message into an open run. */
const MESSAGE = 'message'

later('sessions')(
  'B35 · messages around continue-as-new are seen once each, in order',
  async () => {
    const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 20 }
    const server = await startOwnServer({ dynamicConfig })
    const agents = [testAgent({ limits: { maxSteps: 30 } })]
    const stage = await openStage({ agents, address: server.address })
    const { result, requests } = await stage.play({
      respond: (_, { index }) =>
        index < 12 ? callTool('lookup', { id: `A${index}` }) : say('all seen'),
      during: async (run) => {
        const handle = stage.client.client.workflow.getHandle(run.id)
        for (const [i, text] of ['m1', 'm2', 'm3'].entries()) {
          await stage.model.waitFor(3 * i + 1, { timeoutMs: 20_000 })
          await handle.signal(MESSAGE, { text })
        }
      },
    })
    expect(result).toMatchObject({ answer: 'all seen', steps: 13 })
    const said = requests.at(-1)?.body.messages.filter(({ role }) => role === 'user')
    expect(said?.map(({ content }) => content).slice(1)).toEqual(['m1', 'm2', 'm3'])
  },
)

later('sessions')(
  'B35 · an update that is sent in the last step is answered or cleanly rejected',
  async () => {
    const stage = await openStage({ agents: [testAgent()] })
    const asked: Promise<unknown>[] = []
    const { result } = await stage.play({
      script: [hang('body'), say('the last word')],
      during: async (run) => {
        await stage.model.waitFor(1)
        const handle = stage.client.client.workflow.getHandle(run.id)
        asked.push(
          handle
            .executeUpdate('ask', { args: [{ text: 'one more' }] })
            .catch((error: Error) => error.name),
        )
      },
    })
    expect(result?.stopReason).toBe('answered')
    const [answer] = await Promise.all(asked)
    expect(answer).not.toBe('AcceptedUpdateCompletedWorkflow')
  },
)
