import { DefaultLogger, Runtime } from '@temporalio/worker'

let installed = false

/**
 * Keeps the SDK's logs out of the test output: many tests make tools and workflow tasks fail on purpose.
 * `PERDURE_TEST_LOG=1` brings them back.
 */
export function installQuietRuntime(): void {
  if (installed) return
  installed = true
  if (process.env['PERDURE_TEST_LOG'] === '1') return
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => {}),
    telemetryOptions: { logging: { forward: {}, filter: 'OFF' } },
  })
}
