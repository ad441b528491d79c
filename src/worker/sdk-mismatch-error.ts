import { SDK_PACKAGES, type SdkVersions } from './sdk-versions.js'

/**
 * The installed packages of Temporal's SDK do not fit together, or not to the workflow bundle that perdure
 * ships: thrown by `createWorker` before it connects to anything. A worker that ran workflow code of
 * another version could fail at any command, in the middle of runs.
 */
export class SdkMismatchError extends Error {
  override name = 'SdkMismatchError'

  /** `built` are the versions that the bundle was made with; null when it is not about the bundle. */
  constructor(installed: SdkVersions, built: SdkVersions | null) {
    super(built === null ? mixed(installed) : outdated(installed, built))
  }
}

function mixed(installed: SdkVersions): string {
  const versions = SDK_PACKAGES.map((name) => `${name} is ${installed[name]}`).join(', ')
  return `Temporal's packages must all be of one version, and ${versions}: install the same version of every @temporalio package (npm ls @temporalio/workflow tells who asks for which).`
}

function outdated(installed: SdkVersions, built: SdkVersions): string {
  const [there, ours] = [installed['@temporalio/worker'], built['@temporalio/worker']]
  return `Version ${there} of Temporal's SDK is installed, and perdure's workflows were bundled with ${ours}. Either install ${ours} of every @temporalio package, or let the worker bundle the workflows when it starts, with the SDK that is there: PERDURE_BUNDLE=build, or bundle: 'build' in the options of runWorker. That takes about a second.`
}
