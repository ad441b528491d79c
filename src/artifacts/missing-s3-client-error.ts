/** `s3Artifacts` is used and its package is not installed: thrown when the worker is made. */
export class MissingS3ClientError extends Error {
  override name = 'MissingS3ClientError'

  constructor(options: ErrorOptions) {
    super(
      's3Artifacts needs the package @aws-sdk/client-s3, which perdure does not bring: npm install @aws-sdk/client-s3',
      options,
    )
  }
}
