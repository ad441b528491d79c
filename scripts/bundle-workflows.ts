import type { SourceMapPayload } from 'node:module'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'

type WebpackHook = NonNullable<Parameters<typeof bundleWorkflowCode>[0]['webpackConfigHook']>

const ROOT = slashes(fileURLToPath(new URL('../', import.meta.url)))

/**
 * The SDK takes a stack trace of each promise in the sandbox, for the UI's tab of that name, and looks each
 * frame up in the source map: a tenth of a step's CPU time at V8's ten frames (docs/benchmarks.md). It stands
 * before all else, since the SDK freezes the globals of the sandbox once the bundle is loaded.
 */
const FIRST_LINE = 'Error.stackTraceLimit = 4;'

/**
 * The workflow bundle that ships, as code with an inline source map. The map has lines, no columns and no
 * texts, and names files as `perdure/src/…` and `node_modules/…`: stack traces stay readable, a worker
 * holds 17 MB less than with the SDK's own, and nothing tells where the bundle was made.
 *
 * @param workflowsPath the entry: src/workflows/index.ts, or what the build made of it
 */
export async function bundleWorkflows(workflowsPath: string): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('ERROR'),
    webpackConfigHook: production,
  })
  // On the line that is there: the source map counts lines.
  return `${FIRST_LINE} ${code}`
}

/** The inline source map of a bundle. */
export function sourceMapOf(code: string): SourceMapPayload {
  const map = /base64,([A-Za-z0-9+/=]+)\s*$/.exec(code)?.[1]
  if (map === undefined) throw new Error('The bundle has no inline source map.')
  return JSON.parse(Buffer.from(map, 'base64').toString('utf8')) as SourceMapPayload
}

const production: WebpackHook = (config) => ({
  ...config,
  mode: 'production',
  devtool: 'inline-nosources-cheap-module-source-map',
  // Names of functions and classes are what stack traces and failures show.
  optimization: { minimize: false },
  output: {
    ...config.output,
    // Without the hash of paths: the same code on every machine, and the same build id.
    filename: 'workflow-bundle.js',
    devtoolModuleFilenameTemplate: ({ absoluteResourcePath }: { absoluteResourcePath: string }) =>
      sourceName(absoluteResourcePath),
  },
})

function sourceName(path: string): string {
  return slashes(path)
    .replace(/^.*\/(?=node_modules\/)/, '')
    .replace(ROOT, 'perdure/')
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/')
}
