/**
 * The shop's today. It stands still, so that "six days late" is as true next year as it is now, and a
 * test or a README can name the answer.
 */
export const SHOP_TODAY = new Date('2026-11-20T12:00:00Z')

const DAY_MS = 24 * 60 * 60 * 1_000

/** The moment `days` after {@link SHOP_TODAY} (before it, when negative), in ISO 8601. */
export function day(days: number): string {
  return new Date(SHOP_TODAY.getTime() + days * DAY_MS).toISOString()
}

/** The date of a moment, as `2026-11-14`. */
export function dateOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
