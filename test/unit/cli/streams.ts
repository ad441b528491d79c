import type { Terminal } from '../../../src/cli/terminal.js'

/** A stream that keeps what is written; a terminal with colours where that is asked for. */
export function stream({ colours = false } = {}) {
  const chunks: string[] = []
  const fake = {
    write: (chunk: string) => {
      chunks.push(chunk)
      return true
    },
    isTTY: colours,
    ...(colours ? { hasColors: () => true } : {}),
  }
  return { stream: fake as unknown as NodeJS.WriteStream, text: () => chunks.join('') }
}

/** Two plain streams. */
export function terminal() {
  const [out, err] = [stream(), stream()]
  const both: Terminal = { out: out.stream, err: err.stream }
  return { terminal: both, out: out.text, err: err.text }
}
