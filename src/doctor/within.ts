/**
 * What `work` brings, if it does so in time. Its signal is aborted when the time is up.
 *
 * @throws Error when it does not
 */
export async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      deadline.abort()
      reject(new Error(`no answer within ${ms / 1000} s`))
    }, ms)
  })
  try {
    return await Promise.race([work(deadline.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
