export { agent } from './agent.js'
export { type AgentInput, runAgent } from './run-agent.js'
export { session } from './session.js'
