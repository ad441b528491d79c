import type { Finding, Status } from '../doctor/finding.js'
import { EXIT } from './exit-codes.js'
import { line, styled } from './terminal.js'

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'dim' } as const satisfies Record<
  Status,
  string
>
const STATUS_WIDTH = 4
const CHECK_WIDTH = 17

/** One finding on one line: status, check, what was found, and what to do. */
export function printFinding(
  stream: NodeJS.WriteStream,
  { status, check, text, fix }: Finding,
): void {
  const mark = styled(stream, COLOURS[status], status.padEnd(STATUS_WIDTH))
  const advice = fix === undefined ? '' : ` ${styled(stream, 'dim', '→')} ${fix}`
  line(stream, `${mark}  ${check.padEnd(CHECK_WIDTH)}  ${text}${advice}`)
}

/** A warning is no failure. */
export function exitCodeOfFindings(findings: readonly Finding[]): number {
  return findings.some(({ status }) => status === 'fail') ? EXIT.failed : EXIT.answered
}
