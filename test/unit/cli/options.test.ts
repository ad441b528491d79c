import { Command, InvalidArgumentError } from 'commander'
import { describe, expect, it } from 'vitest'
import {
  connectOptions,
  jsonObject,
  positiveInteger,
  timeAgo,
  withServerOptions,
} from '../../../src/cli/options.js'

describe('a JSON object on the command line', () => {
  it.each([
    ['{}', {}],
    [' {"customerId": "c7", "list": [1, null]} ', { customerId: 'c7', list: [1, null] }],
  ])('%s', (text, value) => {
    expect(jsonObject(text)).toEqual(value)
  })

  it.each(['', '[]', 'null', '7', '"text"', '{a:1}', "{'a':1}", '{"a":1'])(
    'is not %j, and the help shows one',
    (text) => {
      expect(() => jsonObject(text)).toThrow(InvalidArgumentError)
      expect(() => jsonObject(text)).toThrow('{"customerId":"c7"}')
    },
  )
})

describe('a whole number above 0', () => {
  it.each([
    ['1', 1],
    ['20', 20],
  ])('is %s', (text, value) => {
    expect(positiveInteger(text)).toBe(value)
  })

  it.each(['0', '-1', '1.5', '', ' ', 'ten', 'NaN', 'Infinity', '9007199254740993', '1,000'])(
    'is not %j',
    (text) => {
      expect(() => positiveInteger(text)).toThrow(InvalidArgumentError)
    },
  )
})

describe('an age', () => {
  it.each([
    ['90m', 90],
    ['12h', 12 * 60],
    ['7d', 7 * 24 * 60],
    ['2 hours', 120],
  ])('%s is so long ago', (text, minutes) => {
    const then = timeAgo(text).getTime()
    const ago = (Date.now() - then) / 60_000
    expect(ago).toBeGreaterThanOrEqual(minutes)
    expect(ago).toBeLessThan(minutes + 1)
  })

  it.each(['', '7', '-1h', '0s', 'yesterday', '9000d'])('is not %j', (text) => {
    expect(() => timeAgo(text)).toThrow(InvalidArgumentError)
    expect(() => timeAgo(text)).toThrow('90m, 12h or 7d')
  })
})

describe('the options of the server', () => {
  const all = { address: 'a:1', namespace: 'ns', profile: 'p', taskQueue: 'q' }

  it('are read from the command line', () => {
    const args = ['--address', 'a:1', '--namespace', 'ns', '--profile', 'p', '--task-queue', 'q']
    const command = withServerOptions(new Command('x')).parse(args, { from: 'user' })
    expect(command.opts()).toEqual({ ...all, environment: true })
    const without = withServerOptions(new Command('x')).parse(['--no-environment'], {
      from: 'user',
    })
    expect(connectOptions(without.opts())).toEqual({ environment: false })
  })

  it('are handed on alone, and only those that are set', () => {
    expect(connectOptions({ ...all, json: true } as typeof all)).toEqual(all)
    expect(connectOptions({ taskQueue: 'q' })).toEqual({ taskQueue: 'q' })
    expect(Object.keys(connectOptions({}))).toEqual([])
  })
})
