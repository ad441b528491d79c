/** A text as it was found. */
export interface Document {
  /** Where it is from, as answers cite it, such as `perdure/docs/tools.md`. */
  readonly id: string
  readonly text: string
}
