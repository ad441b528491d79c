/**
 * The version of the loop, recorded with each turn. Raised by every change of `src/agent` or
 * `src/workflows` that needs `patched()`: runs of an older one then take the old way on replay.
 */
export const LOOP_VERSION = 1
