// perdure as `npm run build` made it, which is what users run, with the types of its source: the types of
// dist are there only after a build.
const DIST = new URL('../dist/', import.meta.url)

/** What `perdure` exports. */
export const { defineAgent, defineTool } = (await import(
  new URL('index.js', DIST).href
)) as typeof import('../src/index.js')

/** What `perdure/worker` exports. */
export const { createWorker } = (await import(
  new URL('worker.js', DIST).href
)) as typeof import('../src/worker.js')
