import { startExample } from '../start-example.js'
import { updateIndex } from './knowledge-base.js'
import { standInReply } from './stand-in-model.js'

await startExample({
  command: 'npm run knowledge-base',
  agents: new URL('./agents.ts', import.meta.url),
  agent: 'knowledge-base',
  question:
    'Order A1001 has not come. Can I cancel it and get the money back, and how long does a refund take to arrive?',
  standIn: standInReply,
  // Before the worker: it takes the embedded database for itself.
  prepare: (say) => updateIndex((text) => say('index', text)),
})
