// The package ships no types; this is the part of it that the examples use.
declare module 'fs-native-extensions' {
  /** False: another file descriptor, of this or of another process, holds the lock. */
  export function tryLock(fd: number): boolean
}
