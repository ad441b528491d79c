import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { installedSdk } from '../../../src/worker/sdk-versions.js'
import { type WorkflowSourceOptions, workflowSource } from '../../../src/worker/workflow-source.js'
import { BUILD_ID, bundleFolder } from './bundle-folder.js'

const OTHER = { '@temporalio/worker': '0.1.0', '@temporalio/workflow': '0.1.0' }

it('the workflows come from the bundle that ships, and so does the build id', async () => {
  const { bundle, url } = await bundleFolder(installedSdk())
  const source = workflowSource({ bundle: 'prebuilt', dist: url })
  expect(source).toEqual({ workflowBundle: { codePath: bundle }, buildId: BUILD_ID })
})

it('from source, where no bundle is, they are bundled at start', () => {
  const { workflowsPath } = workflowSource({ bundle: 'prebuilt' })
  expect(workflowsPath).toMatch(/src.workflows.index\.ts$/)
  expect(existsSync(workflowsPath ?? '')).toBe(true)
})

it('a bundle of another SDK is refused, and not looked at when the caller wants none', async () => {
  const { url } = await bundleFolder(OTHER)
  expect(() => workflowSource({ bundle: 'prebuilt', dist: url })).toThrow(
    expect.objectContaining({ name: 'SdkMismatchError' }),
  )
  expect(workflowSource({ bundle: 'build', dist: url })).toHaveProperty('workflowsPath')
})

it.each<[string, Partial<WorkflowSourceOptions>]>([
  ['a workflow interceptor', { interceptors: { workflowModules: ['own'] } }],
  ['one among the raw options', { worker: { interceptors: { workflowModules: ['own'] } } }],
  ['a payload converter', { dataConverter: { payloadConverterPath: 'own' } }],
  ['a failure converter', { worker: { dataConverter: { failureConverterPath: 'own' } } }],
  ["options of the SDK's bundler", { worker: { bundlerOptions: { ignoreModules: ['fs'] } } }],
  ['a plugin', { worker: { plugins: [{ name: 'own' }] } }],
])('%s has to be bundled with the workflows: that happens at start', async (_, options) => {
  const { url } = await bundleFolder(installedSdk())
  const source = workflowSource({ bundle: 'prebuilt', dist: url, ...options })
  expect(source).toEqual({ workflowsPath: expect.stringMatching(/index\.ts$/) })
})

it.each<[string, Partial<WorkflowSourceOptions>]>([
  ['a codec', { dataConverter: { payloadCodecs: [] } }],
  ['an activity interceptor', { interceptors: { activity: [] } }],
])('%s has not', async (_, options) => {
  const { url } = await bundleFolder(installedSdk())
  const source = workflowSource({ bundle: 'prebuilt', dist: url, ...options })
  expect(source).toHaveProperty('workflowBundle')
})

it.each([
  ['bundle', { workflowBundle: { codePath: 'bundle.js' } }],
  ['path', { workflowsPath: 'workflows.js' }],
])("a %s of the caller's is left alone", (_, worker) => {
  expect(workflowSource({ bundle: 'prebuilt', worker })).toEqual({})
})
