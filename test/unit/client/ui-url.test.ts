import { describe, expect, it } from 'vitest'
import { guessUiUrl, runUrl } from '../../../src/client/ui-url.js'

describe('the UI of a server', () => {
  it.each([
    ['localhost:7233', 'http://localhost:8233'],
    ['127.0.0.1:7000', 'http://127.0.0.1:8000'],
    ['[::1]:7233', 'http://[::1]:8233'],
    ['my-ns.abcde.tmprl.cloud:7233', 'https://cloud.temporal.io'],
    ['us-east-1.aws.api.temporal.io:7233', 'https://cloud.temporal.io'],
    ['temporal.example.com:7233', undefined],
    ['10.0.0.5:7233', undefined],
    ['tmprl.cloud.example.com:7233', undefined],
    ['localhost', undefined],
    ['not an address', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('at %s is %s', (address, url) => {
    expect(guessUiUrl(address)).toBe(url)
  })

  it('is never on a port that there is not', () => {
    expect(guessUiUrl('127.0.0.1:65000')).toBeUndefined()
  })
})

describe('the page of a run', () => {
  const run = { namespace: 'default', id: 'ticket-42', runId: 'r1' }

  it('names namespace, workflow and execution', () => {
    expect(runUrl('http://ui:8233', run)).toBe(
      'http://ui:8233/namespaces/default/workflows/ticket-42/r1/history',
    )
  })

  it('leads to the newest execution when none is given', () => {
    expect(runUrl('http://ui', { namespace: 'default', id: 'a' })).toBe(
      'http://ui/namespaces/default/workflows/a',
    )
  })

  it('keeps the path of the UI, without its last slashes', () => {
    expect(runUrl('http://ui/temporal//', run)).toMatch(/^http:\/\/ui\/temporal\/namespaces\//)
  })

  it('encodes what is no part of a path', () => {
    expect(runUrl('http://ui', { namespace: 'a b', id: 'x/y?z#ä' })).toBe(
      'http://ui/namespaces/a%20b/workflows/x%2Fy%3Fz%23%C3%A4',
    )
  })

  it('is not known where the UI is not', () => {
    expect(runUrl(undefined, run)).toBeUndefined()
  })
})
