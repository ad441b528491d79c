/** Exit codes by the convention of shells: 128 and the signal's number. */
const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

type Signal = keyof typeof CODES
const SIGNALS = Object.keys(CODES) as Signal[]

/** The signals that tell this process to end. */
export interface Interrupt {
  /** Aborted by the first of them. */
  readonly signal: AbortSignal
  /** Resolves with the exit code of the first of them. */
  readonly code: Promise<number>
  /** Stops listening. */
  stop(): void
}

/** Listens for Ctrl-C and SIGTERM: the first asks for an end in order, the second ends the process at once. */
export function listenForInterrupt(): Interrupt {
  const controller = new AbortController()
  let resolve: (code: number) => void = () => {}
  const code = new Promise<number>((done) => {
    resolve = done
  })
  const listen = (name: Signal) => {
    if (controller.signal.aborted) process.exit(CODES[name])
    controller.abort()
    resolve(CODES[name])
  }
  for (const name of SIGNALS) process.on(name, listen)
  return {
    signal: controller.signal,
    code,
    stop: () => {
      for (const name of SIGNALS) process.off(name, listen)
    },
  }
}
