import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** What a terminal got at one moment. */
export interface Output {
  /** Milliseconds after the start. */
  readonly ms: number
  /** With the terminal's control sequences. */
  readonly text: string
}

/** A command on a terminal, under way. */
export interface Recording {
  /** All that it wrote so far. */
  readonly outputs: readonly Output[]
  /** Resolves once the text was written; rejects when the command ends before. */
  says(text: string): Promise<void>
  /** The exit code; null after a signal. */
  readonly exited: Promise<number | null>
  /** Types a line, and Enter. */
  type(text: string): void
  /** Presses Ctrl-C. */
  interrupt(): void
}

/** How {@link record} runs the command. */
export interface RecordOptions {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

// Python's terminal passes on what it reads, Ctrl-C too, and exits as the command does.
const TERMINAL = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'

/** Runs a command on a terminal of its own and records what it writes. */
export function record(command: readonly string[], options: RecordOptions): Recording {
  const child = spawn('python3', ['-c', TERMINAL, ...command], {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  const started = performance.now()
  const outputs: Output[] = []
  const said = () => outputs.map(({ text }) => text).join('')
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    outputs.push({ ms: performance.now() - started, text })
  })
  return {
    outputs,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (said().includes(text)) resolve()
        }
        child.stdout.on('data', look)
        exited.then(() => reject(new Error(`ended without saying "${text}":\n${said()}`)), reject)
        look()
      }),
    exited,
    type: (text) => {
      child.stdin.write(`${text}\r`)
    },
    interrupt: () => {
      child.stdin.write('\x03')
    },
  }
}
