import { expect, it } from 'vitest'
import { SdkMismatchError } from '../../../src/worker/sdk-mismatch-error.js'

it('packages of two versions are named, and no bundling would mend that', () => {
  const mixed = { '@temporalio/worker': '1.24.0', '@temporalio/workflow': '1.23.0' }
  const { message } = new SdkMismatchError(mixed, null)
  expect(message).toContain('@temporalio/worker is 1.24.0, @temporalio/workflow is 1.23.0')
  expect(message).not.toContain('PERDURE_BUNDLE')
})
