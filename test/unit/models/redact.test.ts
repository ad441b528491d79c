import { describe, expect, it } from 'vitest'
import { redactor } from '../../../src/models/redact.js'

const nothing = redactor({ keys: [], urls: [] })

describe('a text without secrets', () => {
  it.each([
    'HTTP 503: the model is overloaded',
    'see https://example.com/docs?a=b@c',
    'the basis of this',
    '',
  ])('stays as it is: %s', (text) => {
    expect(nothing(text)).toBe(text)
  })
})

describe('what looks like a secret goes, whoever it belongs to', () => {
  it.each([
    ['Authorization: Bearer abcdef123456', 'Authorization: Bearer [redacted]'],
    ['authorization: basic dXNlcjpwYXNz', 'authorization: basic [redacted]'],
    ['key sk-proj-abc_DEF-123 is wrong', 'key [redacted] is wrong'],
    ['http://user:pw@host/v1 failed', 'http://[redacted]@host/v1 failed'],
    ['postgres://app:p%40ss@10.0.0.5/db', 'postgres://[redacted]@10.0.0.5/db'],
  ])('%s', (text, clean) => {
    expect(nothing(text)).toBe(clean)
  })
})

describe('the secrets in use go', () => {
  it('wherever they stand, however often', () => {
    expect(redactor({ keys: ['my-key'], urls: [] })('a my-key, "my-key"')).toBe(
      'a [redacted], "[redacted]"',
    )
  })

  it('with characters that mean something in a pattern', () => {
    expect(redactor({ keys: ['a.b*(c$&'], urls: [] })('key a.b*(c$& and axb*(c')).toBe(
      'key [redacted] and axb*(c',
    )
  })

  it('as the password of a URL, encoded or not', () => {
    const redact = redactor({ keys: [], urls: ['https://someone:p%40ssword@host/v1'] })
    expect(redact('p%40ssword p@ssword someone host')).toBe('[redacted] [redacted] someone host')
  })

  it('and nothing does where there are none', () => {
    expect(
      redactor({ keys: [undefined], urls: ['http://127.0.0.1:8080/v1', undefined] })(
        'at 127.0.0.1:8080',
      ),
    ).toBe('at 127.0.0.1:8080')
  })

  it('though the key looks like a URL', () => {
    expect(redactor({ keys: ['account:s3cret-part'], urls: [] })('key account:s3cret-part')).toBe(
      'key [redacted]',
    )
  })

  it('though the password of the URL is badly encoded', () => {
    expect(redactor({ keys: [], urls: ['http://user:100%zz@host'] })('100%zz')).toBe('[redacted]')
  })
})
