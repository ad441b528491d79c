/** What one run of the cluster's tests measured; a row is printed when all are done. */
const rows: (readonly [what: string, value: string])[] = []

/** Remembers a figure for {@link printFigures}. */
export function figure(what: string, value: string): void {
  rows.push([what, value])
}

/** Prints the figures as a table. */
export function printFigures(): void {
  const width = Math.max(...rows.map(([what]) => what.length))
  const lines = rows.map(([what, value]) => `  ${what.padEnd(width)}  ${value}`)
  process.stdout.write(`\nfigures of this machine\n${lines.join('\n')}\n`)
}
