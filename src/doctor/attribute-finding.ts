import type { SetUpAttribute } from '../client/search-attributes/register-attributes.js'
import { type AttributePlace, howToFree, howToRegister } from './attribute-advice.js'
import type { Finding } from './finding.js'

/** What became of a search attribute, in words, and what to do about it. */
export function attributeFinding(attribute: SetUpAttribute, place: AttributePlace): Finding {
  const { name: check, type, found, why } = attribute
  switch (attribute.status) {
    case 'there':
      return { check, status: 'ok', text: `${type}, was there` }
    case 'registered':
      return { check, status: 'ok', text: `${type}, registered` }
    case 'other_type': {
      const text = `is ${found ?? 'of another type'}, and must be ${type}`
      return { check, status: 'fail', text, fix: howToFree(attribute, place) }
    }
    case 'not_allowed': {
      const text = `missing (${type}), and these credentials may not add it: ${why}`
      return { check, status: 'fail', text, fix: howToRegister([attribute], place) }
    }
    case 'no_room':
      return { check, status: 'fail', text: `missing (${type}): ${why}`, fix: ROOM }
    case 'failed':
      return { check, status: 'fail', text: `missing (${type}): ${why}`, fix: AGAIN }
    case 'not_visible':
      return { check, status: 'fail', text: 'registered, but not to be seen yet', fix: AGAIN }
    default:
      return attribute.status satisfies never
  }
}

const AGAIN = 'run perdure setup again'
const ROOM =
  'with SQL visibility a namespace has 3 of type Int, 10 of type Keyword: remove one that nobody needs (temporal operator search-attribute list), take a namespace of its own, or go without: runs work'
