/** `skip`: not looked at, and why. */
export type Status = 'ok' | 'warn' | 'fail' | 'skip'

/** What one look brought. */
export interface Found {
  readonly status: Status
  /** What was found, in one line. */
  readonly text: string
  /** What to do about it, in one line. */
  readonly fix?: string
}

/** What one look brought, and where it was looked. */
export interface Finding extends Found {
  /** Name of the check. */
  readonly check: string
}
