/** One line of a difference. */
export interface DiffLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** Cells of the table at most: a text of more lines is shown as gone and come. */
const MAX_CELLS = 4_000_000
/** Lines that stay the same and are shown around what does not. */
const CONTEXT = 1

/** The lines that differ between two texts, with one around them. */
export function textDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const all = a.length * b.length > MAX_CELLS ? replaced(a, b) : compared(a, b)
  return all.filter((_, i) =>
    all.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some(({ mark }) => mark !== ' '),
  )
}

function replaced(a: readonly string[], b: readonly string[]): DiffLine[] {
  return [...a.map((text) => line('-', text)), ...b.map((text) => line('+', text))]
}

/** By the longest common subsequence. */
function compared(a: readonly string[], b: readonly string[]): DiffLine[] {
  const common = commonLengths(a, b)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [old, fresh] = [a[i], b[j]]
    if (old !== undefined && old === fresh) {
      lines.push(line(' ', old))
      i++
      j++
    } else if (old !== undefined && (fresh === undefined || common(i + 1, j) >= common(i, j + 1))) {
      lines.push(line('-', old))
      i++
    } else {
      lines.push(line('+', fresh ?? ''))
      j++
    }
  }
  return lines
}

/** How many lines the ends of both texts have in common, from a line of each on. */
function commonLengths(
  a: readonly string[],
  b: readonly string[],
): (i: number, j: number) => number {
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const same = a[i] === b[j]
      lengths[i * width + j] = same ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  return at
}

function line(mark: DiffLine['mark'], text: string): DiffLine {
  return { mark, text }
}
