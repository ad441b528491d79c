import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exportRun, findSecrets, parseHistory, SecretsFoundError } from '../../../src/replay.js'

const FILE = new URL('../../sandbox/histories/answered.json', import.meta.url)
/** An observation of the stored run. */
const PLACE = { eventId: 15, place: 'activityTaskCompleted.result' }

/** The stored history with a text in one of its observations. */
function holding(text: string) {
  const history = parseHistory(readFileSync(FILE, 'utf8'), 'answered')
  const payload = history.executions[0]?.events.find(
    ({ eventId }) => String(eventId) === String(PLACE.eventId),
  )?.activityTaskCompletedEventAttributes?.result?.payloads?.[0]
  if (!payload) throw new Error('not there')
  payload.data = Buffer.from(JSON.stringify({ text }))
  return history
}

describe('findSecrets', () => {
  it.each([
    ['an API key', `sk-proj-${'a1'.repeat(16)}`],
    ['an API key', `AIza${'a'.repeat(35)}`],
    ['an AWS key', 'AKIAABCDEFGHIJKLMNOP'],
    ['a GitHub token', `ghp_${'a1'.repeat(18)}`],
    ['a Slack token', 'xoxb-1234567890-abc'],
    ['a bearer token', 'Authorization: Bearer abcdef0123456789abcdef'],
    ['a JSON web token', 'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl'],
    ['a URL with a password', 'postgres://app:hunter2@10.0.0.5/db'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----'],
  ])('finds %s and tells where', (what, secret) => {
    expect(findSecrets(holding(`see ${secret} there`))).toEqual([{ what, ...PLACE }])
  })

  it('finds the keys in use, whatever they look like', () => {
    const history = holding('my-very-own-key')
    expect(findSecrets(history, ['my-very-own-key'])).toEqual([
      { what: 'a key in use here', ...PLACE },
    ])
    expect(findSecrets(history, ['my', ''])).toEqual([])
  })

  it.each([
    'basic understanding of authentication',
    'the bearer of this letter',
    'sk-learn is a library, task-list a word',
    'https://example.com/a@b and mail@example.com',
  ])('takes words for words: %s', (text) => {
    expect(findSecrets(holding(text))).toEqual([])
  })
})

describe('exportRun', () => {
  it('refuses a history with a secret, saying where and never what', async () => {
    const secret = `sk-proj-${'a1'.repeat(16)}`
    const error = await exportRun(holding(secret)).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SecretsFoundError)
    expect(String(error)).toContain('an API key in event 15 (activityTaskCompleted.result)')
    expect(JSON.stringify(error) + String(error)).not.toContain(secret)
    expect(await exportRun(holding(secret), { force: true })).toMatchObject({ perdureRun: 1 })
  })
})
