import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest'
import { type S3ArtifactsOptions, s3Artifacts } from '../../src/artifacts/s3-artifacts.js'
import { artifactStoreSuite } from '../kit/artifact-store-suite.js'
import { useMoto } from '../kit/moto.js'

// A server that nobody here wrote: PyPI's moto speaks S3's HTTP.

const moto = useMoto()

// It says at the first client that its versions of 2027 need Node 22.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true'

const KEY = 'run/1.2.3/0123456789abcdef'
const { signal } = new AbortController()

/** How a test reaches the server at `endpoint`. */
function access(endpoint: string) {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
  return { endpoint, region: 'eu-central-1', credentials }
}

function ownClient(endpoint: string): S3Client {
  const client = new S3Client({ ...access(endpoint), forcePathStyle: true })
  onTestFinished(() => client.destroy())
  return client
}

async function startBucket(context: TestContext) {
  const endpoint = await moto(context)
  const bucket = `artifacts-${randomUUID()}`
  const client = ownClient(endpoint)
  const CreateBucketConfiguration = { LocationConstraint: 'eu-central-1' } as const
  await client.send(new CreateBucketCommand({ Bucket: bucket, CreateBucketConfiguration }))
  const store = (more: Partial<S3ArtifactsOptions> = {}) =>
    s3Artifacts({ bucket, ...access(endpoint), ...more })
  return { bucket, client, store }
}

describe('s3Artifacts', () => {
  artifactStoreSuite(async (context) => {
    const { store } = await startBucket(context)
    return store
  })
})

describe("s3Artifacts with the caller's client", () => {
  artifactStoreSuite(async (context) => {
    const { bucket, client } = await startBucket(context)
    return () => s3Artifacts({ bucket, client, prefix: 'some/prefix/' })
  })
})

test('an object is named by prefix and key, and holds the text as UTF-8 that says so', async (context) => {
  const { bucket, client, store } = await startBucket(context)
  await store({ prefix: 'perdure/' }).put(KEY, 'Größe', signal)
  const list = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
  expect(list.Contents?.map((object) => object.Key)).toEqual([`perdure/${KEY}`])
  const place = { Bucket: bucket, Key: `perdure/${KEY}` }
  const head = await client.send(new HeadObjectCommand(place))
  expect(head.ContentType).toBe('text/plain; charset=utf-8')
  expect(head.ContentLength).toBe(7)
  const { Body } = await client.send(new GetObjectCommand(place))
  expect(await Body?.transformToString('utf-8')).toBe('Größe')
})

test('a bucket that is not there is an error, not a text that is not there', async (context) => {
  const { store } = await startBucket(context)
  await expect(store({ bucket: 'another' }).get(KEY, signal)).rejects.toThrow('bucket')
})

test('a server that stops in the middle of a text holds nobody up: the signal ends the read', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('the first half')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const store = s3Artifacts({ bucket: 'any', ...access(`http://127.0.0.1:${port}`) })
  const ended = new AbortController()
  server.once('request', () => setImmediate(() => ended.abort()))
  await expect(store.get(KEY, ended.signal)).rejects.toThrow(/abort/i)
})

test('a client of another kind that gives no body is told so', async () => {
  const store = s3Artifacts({ bucket: 'any', client: { send: async () => ({}) } })
  await expect(store.get(KEY, signal)).rejects.toThrow('no body')
})
