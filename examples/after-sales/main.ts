import { startExample } from '../start-example.js'
import { standInReply } from './stand-in-model.js'

await startExample({
  command: 'npm start',
  agents: new URL('./agents.ts', import.meta.url),
  agent: 'after-sales',
  question:
    'Why has order A1001 not shipped? If it is late, refund it and email me. Keep it short.',
  standIn: standInReply,
})
