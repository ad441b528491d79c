import type { Manifest } from '../contract/manifest.js'
import type { Message } from '../contract/messages.js'

// In the sandbox each look at a global costs 0.1 µs, twice for every character.
const { imul } = Math
const START = '0000000000000000'

/** The digest of a conversation without messages: that of its manifest. */
export function startDigest(manifest: Manifest): string {
  return roll(START, JSON.stringify(manifest))
}

/** The digest after one more message. */
export function extendDigest(digest: string, message: Message): string {
  return roll(digest, JSON.stringify(message))
}

/** The digest of a whole conversation. */
export function digestOf(manifest: Manifest, messages: readonly Message[]): string {
  return messages.reduce(extendDigest, startDigest(manifest))
}

/** A fingerprint of a text: 16 hexadecimal digits. */
export function fingerprint(text: string): string {
  return roll(START, text)
}

/**
 * Two 32-bit lanes with the multiplicative mixing of MurmurHash3, started from the digest before. It
 * detects differences between two copies of one conversation; it is no defence against an attacker. Pure
 * JavaScript, because the workflow sandbox has no crypto.
 */
function roll(digest: string, text: string): string {
  let a = Number.parseInt(digest.slice(0, 8), 16) ^ 0xdeadbeef
  let b = Number.parseInt(digest.slice(8), 16) ^ 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = imul(a ^ code, 0x85ebca77)
    b = imul(b ^ code, 0xc2b2ae3d)
    a = (a << 13) | (a >>> 19)
    b = (b << 17) | (b >>> 15)
  }
  const crossed = finish(a ^ (b >>> 1))
  return hex(crossed) + hex(finish(b ^ crossed))
}

function finish(lane: number): number {
  let h = imul(lane ^ (lane >>> 16), 0x85ebca6b)
  h = imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0')
}
