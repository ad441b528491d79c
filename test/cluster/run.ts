import { execFile } from 'node:child_process'

/** With what a command of the cluster runs. */
export interface RunOptions {
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Who runs it. @default this process's user */
  readonly as?: User | undefined
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
}

/** A user by numbers. */
export interface User {
  readonly uid: number
  readonly gid: number
}

/** Bytes of output that a command may write. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024
/** Characters of its output that an error tells. */
const TAIL_CHARS = 3_000

/**
 * Runs a command to its end, however long that takes, and resolves to its stdout.
 *
 * @throws Error with the end of what it said
 */
export function run(
  file: string,
  args: readonly string[],
  { env = {}, as, ...rest }: RunOptions = {},
): Promise<string> {
  const options = { ...rest, ...as, env: { ...process.env, ...env }, maxBuffer: MAX_OUTPUT_BYTES }
  return new Promise((resolve, reject) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout)
      const said = `${stdout}\n${stderr}`.trim().slice(-TAIL_CHARS)
      const told = error.code === undefined ? error.message : `exit code ${error.code}`
      reject(new Error(`${file} ${args.join(' ')}: ${told}\n${said}`, { cause: error }))
    })
  })
}
