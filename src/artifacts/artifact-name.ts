import { createHash } from 'node:crypto'

/** Characters of a name at most; file systems take 255 bytes, of which a temporary name needs some. */
const MAX_CHARS = 180
/** Of a longer name, what stays before its hash. */
const HEAD_CHARS = 100

/**
 * A name for a key that no file system or URL reads in another way: lower case letters, digits, `.`, `_`,
 * `-` and the separator stay, all else is escaped, and no part is `.` or `..`. Different keys have different
 * names, also where upper and lower case are one.
 */
export function artifactName(key: string, separator: '/' | '~'): string {
  const name = key.split('/').map(escapePart).join(separator)
  if (name.length <= MAX_CHARS) return name
  // No short name has this sign.
  return `${name.slice(0, HEAD_CHARS)}#${createHash('sha256').update(name).digest('hex')}`
}

function escapePart(part: string): string {
  if (part === '') return '%'
  const special = /^\.+$/.test(part) ? /\./g : /[^a-z0-9._-]/g
  return part.replace(special, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
