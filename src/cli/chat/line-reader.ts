import { createInterface } from 'node:readline'

/** Lines that a person types, or a pipe sends: one after the other, each read once. */
export interface LineReader {
  /** The next line, which stays until it is taken; null at the end. */
  peek(): Promise<string | null>
  /** Takes the line that `peek` has shown. */
  take(): void
  /** Shows that a line is awaited, on a terminal. */
  prompt(text: string): void
  close(): void
}

/** Reads lines. Ctrl-C on a terminal becomes a signal of the process, as without a reader. */
export function readLines(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  isTerminal: boolean,
): LineReader {
  const lines = createInterface({ input, output, terminal: isTerminal })
  const read: (string | null)[] = []
  let wake = () => {}
  const put = (text: string | null) => {
    read.push(text)
    wake()
  }
  lines.on('line', put)
  lines.on('close', () => put(null))
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  return {
    peek: async () => {
      while (read.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return read[0] ?? null
    },
    take: () => {
      // The end stays the end.
      if (read[0] !== null) read.shift()
    },
    prompt: (text) => {
      if (!isTerminal) return
      lines.setPrompt(text)
      lines.prompt(true)
    },
    close: () => lines.close(),
  }
}
