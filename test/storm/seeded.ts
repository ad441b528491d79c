import { createHash } from 'node:crypto'

/** A number in [0, 1) that depends on the seed and the parts alone, not on who asks first. */
export function chance(seed: number, ...parts: readonly (string | number)[]): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([seed, ...parts]))
    .digest()
  return hash.readUInt32BE(0) / 2 ** 32
}

/** One of a list, by the same rule. */
export function pick<T>(
  list: readonly T[],
  seed: number,
  ...parts: readonly (string | number)[]
): T {
  return list[Math.floor(chance(seed, 'pick', ...parts) * list.length)] as T
}
