import { describe, expect, test } from 'vitest'
import { delay, hang, say } from '../../../src/testing/index.js'
import { always, HELLO, post, start } from './start.js'

describe('the log', () => {
  test('has every request in order, with body, status and time', async () => {
    const server = await start({ script: [say('one')] })
    const before = Date.now()
    await post(server)
    await post(server, { ...HELLO, temperature: 0.5 })
    await post(server, { model: 'm' })
    const { requests } = server
    expect(requests.map(({ index, status }) => [index, status])).toEqual([
      [0, 200],
      [1, 500],
      [2, 400],
    ])
    expect(requests[1]?.body).toEqual({ ...HELLO, temperature: 0.5 })
    expect(requests[1]?.violations).toEqual([])
    expect(requests[2]?.violations).toEqual([
      'messages: must be an array with at least one message (messages)',
    ])
    for (const { at } of requests) {
      expect(at).toBeGreaterThanOrEqual(before)
      expect(at).toBeLessThanOrEqual(Date.now())
    }
  })

  test('keeps headers, but not the values of those that carry secrets', async () => {
    const server = await always(say('hi'))
    const headers = { authorization: 'Bearer sk-secret', 'x-api-key': 'k-secret', 'x-run': 'r1' }
    await post(server, HELLO, { headers })
    await post(server)
    const [first, second] = server.requests
    expect(first?.headers).toMatchObject({ authorization: '[present]', 'x-run': 'r1' })
    expect(second?.headers).not.toHaveProperty('authorization')
    expect(JSON.stringify(server.requests)).not.toContain('secret')
  })

  test('tells an open request by its status null, and the answer before the client has it', async () => {
    const server = await always(delay(30, say('late')))
    const answer = post(server)
    await server.waitFor(1)
    expect(server.requests[0]?.status).toBeNull()
    await answer
    expect(server.requests[0]?.status).toBe(200)
  })

  test('tells a client that went away from one that got its answer', async () => {
    const server = await start({ script: [delay(5_000, say('late')), say('now')] })
    const leave = new AbortController()
    const aborted = expect(post(server, HELLO, leave)).rejects.toThrow(/abort/i)
    await server.waitFor(1)
    leave.abort()
    await aborted
    await post(server)
    await server.waitFor((requests) => requests[0]?.closedByClient === true)
    expect(server.requests.map((one) => one.closedByClient)).toEqual([true, false])
  })
})

describe('waitFor', () => {
  test('resolves at once when the log is as wanted already', async () => {
    const server = await always(say('hi'))
    await post(server)
    expect(await server.waitFor(1)).toHaveLength(1)
  })

  test('resolves when the last of so many requests arrives, answered or not', async () => {
    const server = await always(hang())
    const leave = new AbortController()
    const both = server.waitFor(2)
    const posts = [post(server, HELLO, leave), post(server, HELLO, leave)]
    expect((await both).map(({ status }) => status)).toEqual([null, null])
    leave.abort()
    await Promise.allSettled(posts)
  })

  test('takes a function of the log', async () => {
    const server = await always(say('hi'))
    const warm = server.waitFor((log) => log.some(({ body }) => body.temperature === 1))
    await post(server)
    await post(server, { ...HELLO, temperature: 1 })
    expect(await warm).toHaveLength(2)
  })

  test('rejects when the time is up, and tells what it has seen', async () => {
    const server = await always(say('hi'))
    await post(server)
    await post(server, { ...HELLO, tools: [] })
    await fetch(`${server.url}/completions`, { method: 'POST' })
    const error = await server.waitFor(3, { timeoutMs: 20 }).catch((reason: unknown) => reason)
    expect(String(error)).toBe(
      [
        'Error: waitFor: 3 requests not seen after 20 ms. Requests seen: 2',
        '  0: 1 messages, 200',
        '  1: 1 messages, 400',
        '     tools: must be an array with at least one tool; leave the field out otherwise (tools)',
        '  no such route: POST /v1/completions',
      ].join('\n'),
    )
  })

  test('rejects with what the function throws', async () => {
    const server = await always(say('hi'))
    const broken = server.waitFor(() => {
      throw new Error('bad condition')
    })
    await expect(broken).rejects.toThrow('bad condition')
  })

  test('rejects when the server is closed, before and after', async () => {
    const server = await always(say('hi'))
    const waiting = expect(server.waitFor(1)).rejects.toThrow('when the server was closed')
    await server.close()
    await waiting
    await expect(server.waitFor(1)).rejects.toThrow('the server is closed')
  })
})
