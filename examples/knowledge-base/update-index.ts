// Indexes the documents anew if they have changed: npm run knowledge-base:index
import { placeOf, settingsFromEnv } from '../database/database.js'
import { updateIndex } from './knowledge-base.js'

const say = (text: string) => process.stderr.write(`${text}\n`)

try {
  say(placeOf(settingsFromEnv('knowledge-base')))
  await updateIndex(say)
  say('The index is up to date.')
} catch (error) {
  say(`error: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
