import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Document } from './document.js'

/** Where the documents are. */
export interface CorpusPlaces {
  /** A checkout of this project with its `node_modules`. @default the one that this file is in */
  readonly root?: string
  /** Documentation of a Debian machine; nothing when the folder is not there. @default '/usr/share/doc' */
  readonly debian?: string
}

/** Longer files are logs and lists more than texts. In bytes, packed or not. */
const MAX_BYTES = 100_000

/**
 * Everything that the example indexes, in the same order every time: its own texts about the shop, the
 * project's documentation, the READMEs of the packages that `package.json` names, and those of a Debian
 * machine. All but the last are there after `npm ci`.
 */
export function readCorpus({
  root = ROOT,
  debian = '/usr/share/doc',
}: CorpusPlaces = {}): Document[] {
  return [
    ...documents(join(root, 'examples/knowledge-base/documents'), 'shop', /\.md$/),
    ...documents(root, 'perdure', /\.md$/),
    ...documents(join(root, 'docs'), 'perdure/docs', /\.md$/),
    ...examples(root),
    ...packages(root),
    ...folders(debian).flatMap((name) =>
      documents(join(debian, name), `debian/${name}`, /^README(?!.*(html|pdf|ps)\b)/),
    ),
  ]
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

function examples(root: string): Document[] {
  const dir = join(root, 'examples')
  return (
    folders(dir)
      // This one quotes questions: it would be found for each of them, and answers none.
      .filter((name) => name !== 'knowledge-base')
      .flatMap((name) => documents(join(dir, name), `perdure/examples/${name}`, /^README\.md$/))
  )
}

function packages(root: string): Document[] {
  const manifest: Record<string, unknown> = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const named = ['dependencies', 'peerDependencies', 'devDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  )
  return [...new Set(named)]
    .sort()
    .flatMap((name) =>
      documents(join(root, 'node_modules', name), name, /^readme(\.zh-CN)?\.(md|markdown)$/i),
    )
}

/** The files of one folder whose names match; none when there is no such folder. */
function documents(dir: string, prefix: string, name: RegExp): Document[] {
  return entries(dir)
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .filter((entry) => statSync(join(dir, entry.name)).size <= MAX_BYTES)
    .map((entry) => ({
      id: `${prefix}/${entry.name.replace(/\.gz$/, '')}`,
      text: textOf(join(dir, entry.name)),
    }))
}

function folders(dir: string): string[] {
  // A folder of Debian that is a symbolic link leads to one that is in the list itself.
  return entries(dir)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

function entries(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function textOf(path: string): string {
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
