/** Where the worker's time goes; found by hand with `node --cpu-prof`, so it stands here as text. */
export const PROFILE = `## Where the rest goes

TODO`
