import type { FoundSecret } from '../find-secrets.js'

/** Places that the message names. */
const MAX_PLACES = 5

/** A history holds what looks like a secret, so it is not exported. */
export class SecretsFoundError extends Error {
  override name = 'SecretsFoundError'
  /** Where they are; never what they are. */
  readonly found: readonly FoundSecret[]

  constructor(id: string, found: readonly FoundSecret[]) {
    const places = found
      .slice(0, MAX_PLACES)
      .map(({ what, eventId, place }) => `${what} in event ${eventId} (${place})`)
    const more = found.length > MAX_PLACES ? ` and ${found.length - MAX_PLACES} more` : ''
    super(
      `The history of "${id}" was not exported, it holds what looks like a secret: ${places.join(', ')}${more}. To mask it would change the history. If it is none, or may leave, use --force.`,
    )
    this.found = found
  }
}
