import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DataConverter } from '@temporalio/common'
import type { NativeConnection, WorkerInterceptors, WorkerOptions } from '@temporalio/worker'
import { prebuiltBundle } from './prebuilt-bundle.js'
import { SdkMismatchError } from './sdk-mismatch-error.js'
import { installedSdk, SDK_PACKAGES } from './sdk-versions.js'

/** What decides where the workflows of a worker come from. */
export interface WorkflowSourceOptions {
  readonly bundle: 'prebuilt' | 'build'
  readonly connection?: NativeConnection | undefined
  readonly dataConverter?: DataConverter | undefined
  readonly interceptors?: WorkerInterceptors | undefined
  readonly worker?: Partial<WorkerOptions> | undefined
  /** Where the bundle is. @default the folder above this one */
  readonly dist?: URL
}

/**
 * The workflows come from the caller's bundle or path where there is one, else from the bundle that ships
 * with perdure; they are bundled at start when something of the caller's has to be bundled with them.
 *
 * @throws SdkMismatchError
 */
export function workflowSource(options: WorkflowSourceOptions): Partial<WorkerOptions> {
  const { workflowBundle, workflowsPath } = options.worker ?? {}
  if (workflowBundle !== undefined || workflowsPath !== undefined) return {}
  const installed = installedSdk()
  const versions = new Set(SDK_PACKAGES.map((name) => installed[name]))
  if (versions.size > 1) throw new SdkMismatchError(installed, null)
  const useBundle = options.bundle === 'prebuilt' && !addsToBundle(options)
  const prebuilt = useBundle ? prebuiltBundle(installed, options.dist) : undefined
  if (prebuilt !== undefined) {
    const { codePath, buildId } = prebuilt
    // The SDK's own build id is 90 characters, and it is in every third event of a history.
    return { workflowBundle: { codePath }, buildId }
  }
  const file = `../workflows/index${extname(import.meta.url)}`
  return { workflowsPath: fileURLToPath(new URL(file, import.meta.url)) }
}

/** True when the caller's options ask for code in the workflow sandbox, which a made bundle lacks. */
function addsToBundle({
  connection,
  dataConverter,
  interceptors,
  worker,
}: WorkflowSourceOptions): boolean {
  const converter = worker?.dataConverter ?? dataConverter
  const modules = (worker?.interceptors ?? interceptors)?.workflowModules ?? []
  return (
    modules.length > 0 ||
    worker?.bundlerOptions !== undefined ||
    converter?.payloadConverterPath !== undefined ||
    converter?.failureConverterPath !== undefined ||
    // A plugin may do any of these.
    [...(worker?.plugins ?? []), ...(connection?.plugins ?? [])].length > 0
  )
}
