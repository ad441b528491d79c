import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/data-converter-helpers.js'
import type { Manifest } from '../contract/manifest.js'
import { checkConverter } from './check-converter.js'
import { MissingConverterError } from './errors/missing-converter-error.js'
import { SecretsFoundError } from './errors/secrets-found-error.js'
import { findSecrets } from './find-secrets.js'
import { historyToJson } from './history-json.js'
import { readRun } from './read-run.js'
import type { RunHistory } from './run-history.js'

/** A run as one JSON document: {@link parseHistory} reads it. */
export interface ExportedRun {
  /** The version of this format. */
  readonly perdureRun: 1
  readonly id: string
  /** The definition of the newest turn, to be read; null when the history is encoded. */
  readonly manifest: Manifest | null
  /** Each history as `temporal workflow show --output json` writes it, the first execution first. */
  readonly executions: readonly { readonly runId: string; readonly history: unknown }[]
}

/** Options of {@link exportRun}. */
export interface ExportOptions {
  /** True: exports whatever the history holds. @default false */
  readonly force?: boolean
  /** Values that must not leave, such as the keys in use. @default what looks like a secret alone */
  readonly secrets?: readonly string[]
}

/**
 * A run as one JSON document, histories as they are stored: what a codec encoded stays so.
 *
 * @throws SecretsFoundError when the history holds what looks like a secret; the error tells where
 */
export async function exportRun(
  history: RunHistory,
  { force = false, secrets = [] }: ExportOptions = {},
): Promise<ExportedRun> {
  const found = force ? [] : findSecrets(history, secrets)
  if (found.length > 0) throw new SecretsFoundError(history.id, found)
  return {
    perdureRun: 1,
    id: history.id,
    manifest: await readableManifest(history),
    executions: history.executions.map(({ runId, events }) => ({
      runId,
      history: historyToJson({ events: [...events] }),
    })),
  }
}

async function readableManifest(history: RunHistory): Promise<Manifest | null> {
  const converter = loadDataConverter()
  try {
    await checkConverter(history, converter)
    return (await readRun(history, converter)).manifest
  } catch (error) {
    // It must not be readable in the one place where its codec does not hide it.
    if (error instanceof MissingConverterError) return null
    throw error
  }
}
