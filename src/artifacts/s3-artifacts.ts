import { addAbortSignal, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ArtifactStore } from '../activities/artifact-store.js'
import { artifactName } from './artifact-name.js'
import { MissingS3ClientError } from './missing-s3-client-error.js'

/** What `s3Artifacts` needs of a client; an `S3Client` of `@aws-sdk/client-s3` is one. */
export interface S3Sender {
  send(command: never, options?: { readonly abortSignal?: AbortSignal }): Promise<unknown>
}

/** Options of {@link s3Artifacts}. */
export interface S3ArtifactsOptions {
  /** The bucket, which must be there. perdure removes nothing from it: give it a lifecycle rule. */
  readonly bucket: string
  /** Put before each key, such as `perdure/`. @default '' */
  readonly prefix?: string
  /** A client of your own, left open; the options below are then not used. @default made at the first use */
  readonly client?: S3Sender
  /** @default AWS_REGION, or that of the AWS profile */
  readonly region?: string
  /** The URL of an S3-compatible server (MinIO, Ceph, R2 …), which is asked by path and without AWS's checksums. @default AWS */
  readonly endpoint?: string
  /** @default found as AWS's tools do: environment, profile, role */
  readonly credentials?: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken?: string
  }
}

/**
 * An artifact store in an S3 bucket, for workers on any number of machines. One object a text, named
 * `<prefix><key>`, `text/plain; charset=utf-8`. Needs the package `@aws-sdk/client-s3`, which is loaded when
 * the worker is made. Rights: `s3:PutObject`, `s3:GetObject`, and `s3:ListBucket`, without which a text that
 * is not there looks like a refusal.
 *
 * The worker is not made without the package (MissingS3ClientError) or without a region.
 */
export function s3Artifacts(options: S3ArtifactsOptions): ArtifactStore {
  const { bucket, prefix = '' } = options
  let ready: ReturnType<typeof connect> | undefined
  const connected = () => {
    ready ??= connect(options)
    return ready
  }
  const placeOf = (key: string) => ({ Bucket: bucket, Key: `${prefix}${artifactName(key, '/')}` })
  return {
    open: async () => {
      await connected()
    },
    put: async (key, text, signal) => {
      const { sdk, client } = await connected()
      const command = new sdk.PutObjectCommand({
        ...placeOf(key),
        Body: text,
        ContentLength: Buffer.byteLength(text),
        ContentType: 'text/plain; charset=utf-8',
      })
      await client.send(command as never, { abortSignal: signal })
    },
    get: async (key, signal) => {
      const { sdk, client } = await connected()
      const command = new sdk.GetObjectCommand(placeOf(key))
      try {
        const reply = await client.send(command as never, { abortSignal: signal })
        return await bodyOf(reply, signal)
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return null
        throw error
      }
    },
  }
}

async function connect(options: S3ArtifactsOptions) {
  const sdk = await import('@aws-sdk/client-s3').catch((cause: unknown) => {
    throw new MissingS3ClientError({ cause })
  })
  if (options.client !== undefined) return { sdk, client: options.client }
  const { region, endpoint, credentials } = options
  const client = new sdk.S3Client({
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials }),
    // Not every compatible server has a host for each bucket, or knows the checksums of newer clients.
    ...(endpoint === undefined
      ? {}
      : {
          endpoint,
          forcePathStyle: true,
          requestChecksumCalculation: 'WHEN_REQUIRED' as const,
          responseChecksumValidation: 'WHEN_REQUIRED' as const,
        }),
  })
  // Rejects when there is none: now, and not at the first text.
  await client.config.region()
  return { sdk, client: client satisfies S3Sender }
}

async function bodyOf(reply: unknown, signal: AbortSignal): Promise<string> {
  const body = typeof reply === 'object' && reply !== null && 'Body' in reply ? reply.Body : null
  if (!(body instanceof Readable)) throw new TypeError('The S3 client gave no body to read.')
  // The request's own signal counts only until the headers are there.
  const bytes = await buffer(addAbortSignal(signal, body))
  return bytes.toString('utf8')
}
