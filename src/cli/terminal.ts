import { styleText } from 'node:util'

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Where a command writes: results to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: NodeJS.WriteStream
  readonly err: NodeJS.WriteStream
}

/** A line on a stream. */
export function line(stream: NodeJS.WriteStream, text = ''): void {
  stream.write(`${text}\n`)
}

/** One JSON document on a stream. */
export function json(stream: NodeJS.WriteStream, value: unknown): void {
  line(stream, JSON.stringify(value, null, 2))
}

/** A styled text where the stream is a terminal that shows colours; NO_COLOR turns it off. */
export function styled(stream: NodeJS.WriteStream, style: Style, text: string): string {
  // Pipes and CI logs have no hasColors: they get plain text.
  return stream.isTTY && stream.hasColors()
    ? styleText(style, text, { validateStream: false })
    : text
}
