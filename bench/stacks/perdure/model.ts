import type { Model } from '../../../src/worker.js'
import { nextMove } from '../../workload.js'

/** A model that takes no time: in this process, without HTTP. */
export const zeroLatencyModel: Model = {
  complete: async ({ messages }) => {
    const [question] = messages
    const observations = messages.filter(({ role }) => role === 'tool').map(textOf)
    const move = nextMove(question === undefined ? '' : textOf(question), observations)
    const tokens = { promptTokens: 1_000, completionTokens: 10 }
    return 'answer' in move
      ? { text: move.answer, calls: [], finish: 'stop', tokens }
      : { text: '', calls: [{ name: 'read_page', arguments: move }], finish: 'stop', tokens }
  },
}

function textOf({ text }: { readonly text: string }): string {
  return text
}
