import { wordsOf } from '../index/words.js'

/** The languages that the shop's own documents are in. */
export type Language = 'en' | 'de' | 'zh'

// A part begins where a sentence ends, and before a question word. Chinese has a comma there.
const PARTS =
  /[?？!;；。\n]+|\.\s|，|以及|,?\s+(?:and|und)\s+(?=(?:how|what|when|where|why|who|which|may|can|could|does|do|is|are|wie|was|wann|wo|warum|wer|welche[rs]?|kann|darf|ist)\b)/i
const GERMAN = /[äöüß]|\b(der|die|das|und|ist|wie|wann|ein|eine|ich|nicht|mein|meine)\b/i

/** At most so many searches for one question. */
const MAX_PARTS = 3

/** What a question asks for, each a search of its own. What only tells of an order is none. */
export function partsOf(question: string, orderId: string | null): string[] {
  const parts = question
    .split(PARTS)
    .map((part) => part.trim())
    .filter((part) => wordsOf(part).length > 1)
  const named = (part: string) => orderId !== null && part.toUpperCase().includes(orderId)
  const others = parts.filter((part) => !named(part))
  const kept = others.length > 0 ? others : parts
  return kept.slice(0, MAX_PARTS).map((part) => without(part, orderId))
}

/** By its letters and its little words. */
export function languageOf(question: string): Language {
  if (/\p{Script=Han}/u.test(question)) return 'zh'
  return GERMAN.test(question) ? 'de' : 'en'
}

function without(part: string, orderId: string | null): string {
  return orderId === null ? part : part.replaceAll(new RegExp(orderId, 'gi'), ' ').trim()
}
