/** Characters of the bar. */
const WIDTH = 24

/** A bar that shows how far a command is. */
export interface Progress {
  /** Draws it anew. */
  show(done: number, note: string): void
  /** Takes it away. */
  end(): void
}

/** A progress bar on a terminal; nothing on pipes and in CI logs. */
export function startProgress(stream: NodeJS.WriteStream, total: number): Progress {
  if (!stream.isTTY) return { show: () => {}, end: () => {} }
  const clear = '\r\u001b[K'
  return {
    show: (done, note) => {
      const full = total === 0 ? WIDTH : Math.round((done / total) * WIDTH)
      const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full)
      stream.write(`${clear}${bar} ${done}/${total}${note === '' ? '' : ` · ${note}`}`)
    },
    end: () => {
      stream.write(clear)
    },
  }
}
