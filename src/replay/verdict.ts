/** A command of the workflow, or the event that it becomes: its kind, and the name of what it is about. */
export interface Command {
  readonly kind: string
  /** An activity's type, a patch's id; '' where the kind says all. */
  readonly name: string
}

/** Where a history and the code part. */
export interface Divergence {
  /** The first event that the code does not make; null where that could not be found out. */
  readonly event: { readonly id: number; readonly runId: string; readonly type: string } | null
  /** What is recorded there; null where nothing is, or it is not known. */
  readonly recorded: Command | null
  /** What the code does instead; null where it does nothing, or it is not known. */
  readonly wanted: Command | null
  /** Places in the code, `file:line`, the innermost first; empty where they could not be found out. */
  readonly at: readonly string[]
}

/** What a history and today's workflow code say of each other. */
export type Verdict =
  /** The code makes what is recorded. */
  | { readonly kind: 'deterministic' }
  /** The code does something else; `message` is what the SDK says. */
  | ({ readonly kind: 'diverged'; readonly message: string } & Divergence)
  /** The code throws, at these places. */
  | { readonly kind: 'code_error'; readonly message: string; readonly at: readonly string[] }
