// What the stand-ins inside a worker process note down, for its host to tell. Imports nothing: the
// peers use it too.
export const notes = {
  /** The page that the model asked for last. */
  lastPage: 0,
  /** Tokens of the largest prompt, where the model counts them. */
  largestPrompt: 0,
}
