import { type ChatRequest, callTool, type Reply, say } from '../../src/testing/index.js'

/** Milliseconds of a reply in a turn that goes on until somebody says something. */
const DELAY_MS = 200

/** The stand-in for the model: says what the question, and what came after it, asks for. */
export function respond({ messages, tools }: ChatRequest): Reply {
  const at = messages.findLastIndex(({ content }) => QUESTION.test(`${content}`))
  const [, conversation, number, kind] = QUESTION.exec(`${messages[at]?.content}`) ?? []
  const after = messages.slice(at + 1)
  const observed = after.filter(({ role }) => role === 'tool').map(({ content }) => `${content}`)
  const answer = `answer ${number}`
  switch (kind) {
    case 'lookup':
      return observed.length === 0 ? look(`${conversation}-${number}`) : say(answer)
    case 'steer':
      return after.some(({ role, content }) => role === 'user' && content === `also ${number}`)
        ? say(`${answer} with also ${number}`)
        : slowly(look(`${conversation}-${number}-${observed.length}`))
    case 'interrupt':
      return tools === undefined
        ? say(`${answer} interrupted`)
        : slowly(look(`${conversation}-${number}-${observed.length}`))
    case 'approve':
    case 'deny':
    case 'edit':
    case 'expire':
      return observed[0] === undefined
        ? callTool('pay', { order: `${conversation}-${number}`, amount: 150 })
        : say(`${answer}: ${outcomeOf(observed[0])}`)
    default:
      return say(answer)
  }
}

const QUESTION = /^\[(.+)\] turn (\d+): (\w+)$/

function look(id: string): Reply {
  return callTool('lookup', { id })
}

function slowly(reply: Reply): Reply {
  return { kind: 'delay', ms: DELAY_MS, reply }
}

function outcomeOf(observation: string): string {
  if (observation.includes('Nobody said anything in time')) return 'expired'
  if (observation.includes('"denied"')) return 'denied'
  return /paid \d+/.exec(observation)?.[0] ?? observation
}
