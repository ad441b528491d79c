/** Whether a server's address, with or without its port, is one of Temporal Cloud. */
export function isTemporalCloud(address: string): boolean {
  return /\.(tmprl\.cloud|api\.temporal\.io)(:\d+)?$/.test(address)
}
