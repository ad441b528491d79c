import xterm from '@xterm/headless'
import type { Output } from './record.js'

const COLUMNS = 110
const ROWS = 200
const FONT = { size: 14, width: 8.43, line: 20 }
const MARGIN = { x: 20, top: 52, bottom: 16 }
/** Longer pauses are cut to this many milliseconds. */
const MAX_PAUSE_MS = 1_000

const COLOURS = { background: '#16181d', text: '#d8dce4', dim: '#868d9b', title: '#9aa1ae' }
/** Of a terminal's first eight colours. */
const PALETTE = [
  '#4b5160',
  '#f07178',
  '#9ece6a',
  '#e6b455',
  '#7aa2f7',
  '#c792ea',
  '#5ccfe6',
  '#d8dce4',
]

type Buffer = xterm.Terminal['buffer']['active']
type Cell = NonNullable<ReturnType<Buffer['getNullCell']>>

/** Characters beside each other that look alike. */
interface Run {
  readonly column: number
  readonly colour: string
  readonly bold: boolean
  text: string
}

/**
 * Draws what a terminal showed as an SVG: each line comes when the command wrote it. Where nothing moves
 * (no CSS animation, or a reader who wants none) all lines are there from the start.
 */
export async function terminalSvg(title: string, outputs: readonly Output[]): Promise<string> {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true })
  const buffer = terminal.buffer.active
  const seconds: number[] = []
  for (const { text, ms } of withShortPauses(outputs)) {
    await new Promise<void>((resolve) => terminal.write(text, resolve))
    while (seconds.length < lines(buffer)) seconds.push(ms / 1000)
  }
  const rows = seconds.map((at, y) => row(runs(buffer, y), { y, at }))
  terminal.dispose()
  return page(title, rows)
}

function withShortPauses(outputs: readonly Output[]): readonly Output[] {
  let cut = 0
  let before = 0
  return outputs.map(({ ms, text }) => {
    cut += Math.max(0, ms - before - MAX_PAUSE_MS)
    before = ms
    return { ms: ms - cut, text }
  })
}

/** How many lines have something written on or below them. */
function lines(buffer: Buffer): number {
  for (let y = ROWS; y > 0; y -= 1) {
    if (buffer.getLine(y - 1)?.translateToString(true)) return y
  }
  return 0
}

function runs(buffer: Buffer, y: number): readonly Run[] {
  const found: Run[] = []
  const line = buffer.getLine(y)
  for (let column = 0; column < COLUMNS; column += 1) {
    const cell = line?.getCell(column)
    if (cell === undefined) break
    const text = cell.getChars() || ' '
    const look = { colour: colourOf(cell), bold: cell.isBold() !== 0 }
    const last = found.at(-1)
    if (last?.colour === look.colour && last.bold === look.bold) last.text += text
    else found.push({ column, ...look, text })
  }
  return found
    .map((run) => ({ ...run, text: run.text.trimEnd() }))
    .filter(({ text }) => text !== '')
}

function colourOf(cell: Cell): string {
  if (cell.isDim()) return COLOURS.dim
  const colour = cell.isFgPalette() ? PALETTE[cell.getFgColor()] : undefined
  return colour ?? COLOURS.text
}

function row(parts: readonly Run[], { y, at }: { readonly y: number; readonly at: number }) {
  const top = MARGIN.top + (y + 1) * FONT.line
  const spans = parts.map(({ column, colour, bold, text }) => {
    const indent = text.length - text.trimStart().length
    const x = (MARGIN.x + (column + indent) * FONT.width).toFixed(1)
    // Holds the grid whatever font the reader has.
    const width = ((text.length - indent) * FONT.width).toFixed(1)
    const weight = bold ? ' font-weight="bold"' : ''
    const shape = `x="${x}" textLength="${width}" lengthAdjust="spacingAndGlyphs"`
    return `<tspan ${shape} fill="${colour}"${weight}>${escapeXml(text.trimStart())}</tspan>`
  })
  return `<text y="${top}" style="animation-delay:${at.toFixed(2)}s">${spans.join('')}</text>`
}

function page(title: string, rows: readonly string[]): string {
  const width = Math.ceil(2 * MARGIN.x + COLUMNS * FONT.width)
  const height = MARGIN.top + (rows.length + 1) * FONT.line + MARGIN.bottom
  const dots = ['#f07178', '#e6b455', '#9ece6a'].map(
    (fill, i) => `<circle cx="${26 + i * 20}" cy="24" r="6" fill="${fill}"/>`,
  )
  const font = `${FONT.size}px ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<style>text{font:${font};white-space:pre}`,
    '@media (prefers-reduced-motion:no-preference){.rows text{animation:come .01s backwards}}',
    '@keyframes come{from{opacity:0}}</style>',
    `<rect width="${width}" height="${height}" rx="10" fill="${COLOURS.background}"/>`,
    ...dots,
    `<text x="${width / 2}" y="29" text-anchor="middle" fill="${COLOURS.title}">${escapeXml(title)}</text>`,
    '<g class="rows">',
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
