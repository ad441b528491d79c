import { userInfo } from 'node:os'

/** Who sits at this machine, for the record of an approval; undefined where the system does not know. */
export function userName(): string | undefined {
  try {
    return userInfo().username || undefined
  } catch {
    // A container may run under an id that has no name.
    return undefined
  }
}
