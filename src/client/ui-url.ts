import { isTemporalCloud } from './temporal-cloud.js'

/** The UI of a dev server listens on the server's port plus 1000, unless it was told otherwise. */
const DEV_UI_OFFSET = 1_000
const MAX_PORT = 65_535
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The base address of the Temporal UI that belongs to a server: Temporal Cloud's, or a dev server's on
 * this machine. Undefined for others, where nobody can guess it (set PERDURE_UI_URL).
 */
export function guessUiUrl(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(`http://${address}`)) return undefined
  const { hostname, port } = new URL(`http://${address}`)
  if (isTemporalCloud(hostname)) return 'https://cloud.temporal.io'
  if (!LOOPBACK.has(hostname) || port === '') return undefined
  const uiPort = Number(port) + DEV_UI_OFFSET
  return uiPort > MAX_PORT ? undefined : `http://${hostname}:${uiPort}`
}

/** The page of one run in the Temporal UI. */
export function runUrl(
  uiUrl: string | undefined,
  run: { readonly namespace: string; readonly id: string; readonly runId?: string | undefined },
): string | undefined {
  if (uiUrl === undefined) return undefined
  // Without a run id the UI leads to the newest execution; it would take `history` for one.
  const execution = run.runId === undefined ? [] : [run.runId, 'history']
  const parts = ['namespaces', run.namespace, 'workflows', run.id, ...execution]
  const path = parts.map(encodeURIComponent)
  return `${uiUrl.replace(/\/+$/, '')}/${path.join('/')}`
}
