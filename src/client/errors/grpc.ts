import { isGrpcServiceError } from '@temporalio/client'

/** gRPC status codes that perdure tells apart. */
export const GRPC = {
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  unimplemented: 12,
  unavailable: 14,
  unauthenticated: 16,
} as const

const REFUSALS: readonly number[] = [
  GRPC.permissionDenied,
  GRPC.unimplemented,
  GRPC.unauthenticated,
]

/** The gRPC status of what a server answered; undefined for any other error. The SDK wraps some once. */
export function grpcCode(error: unknown): number | undefined {
  const answer = grpcError(error)
  return answer?.code
}

/** True for the answer of a server that these credentials, or nobody, may ask for that. */
export function isRefusal(error: unknown): boolean {
  return REFUSALS.includes(grpcCode(error) ?? -1)
}

/** What the server said, without gRPC's code before it; for other errors their message. */
export function messageOf(error: unknown): string {
  const answer = grpcError(error)
  if (answer !== undefined) return answer.details
  return error instanceof Error ? error.message : String(error)
}

function grpcError(error: unknown) {
  if (isGrpcServiceError(error)) return error
  return error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : undefined
}
