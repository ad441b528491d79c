import { expect, it } from 'vitest'
import { prebuiltBundle } from '../../../src/worker/prebuilt-bundle.js'
import type { SdkVersions } from '../../../src/worker/sdk-versions.js'
import { BUILD_ID, bundleFolder } from './bundle-folder.js'

const INSTALLED = versions('1.23.0')

function versions(worker: string, workflow = worker): SdkVersions {
  return { '@temporalio/worker': worker, '@temporalio/workflow': workflow }
}

it('the bundle beside the code is used when it was made with the installed SDK', async () => {
  const { bundle, url } = await bundleFolder(INSTALLED)
  expect(prebuiltBundle(INSTALLED, url)).toEqual({ codePath: bundle, buildId: BUILD_ID })
})

it('where no bundle was built there is none', async () => {
  const { url } = await bundleFolder()
  expect(prebuiltBundle(INSTALLED, url)).toBeUndefined()
})

it('from source there is none', () => {
  expect(prebuiltBundle(INSTALLED)).toBeUndefined()
})

it.each([
  ['an older minor', versions('1.22.4')],
  ['another patch', versions('1.23.1')],
  ['another version of one package', versions('1.23.0', '1.22.0')],
])('a bundle made with %s of the SDK is refused, with both ways out', async (_, built) => {
  const { url } = await bundleFolder(built)
  expect(() => prebuiltBundle(INSTALLED, url)).toThrow(
    expect.objectContaining({
      name: 'SdkMismatchError',
      message: expect.stringMatching(
        /Version 1\.23\.0 of .* is installed.* bundled with 1\.2.*[Ii]nstall 1\.2.*PERDURE_BUNDLE=build/,
      ),
    }),
  )
})
