/** The turn was cancelled before it had an answer; the conversation goes on. */
export class TurnCancelledError extends Error {
  override name = 'TurnCancelledError'
  readonly id: string
  readonly turn: number

  constructor(id: string, turn: number) {
    super(`Turn ${turn} of session "${id}" was cancelled.`)
    this.id = id
    this.turn = turn
  }
}
