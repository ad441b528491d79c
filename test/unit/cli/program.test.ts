import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../../src/cli/program.js'
import { agentText, moduleFile } from './modules.js'
import { terminal } from './streams.js'

const before = process.exitCode

beforeEach(() => {
  process.exitCode = undefined
})

afterEach(() => {
  process.exitCode = before
})

/** Runs a command line; what it printed and the exit code that it set. */
async function perdure(...args: readonly string[]) {
  const { terminal: both, out, err } = terminal()
  await main(args, both)
  const code = process.exitCode ?? 0
  process.exitCode = undefined
  return { out: out(), err: err(), code }
}

const COMMANDS = [
  'run',
  'show',
  'list',
  'cancel',
  'retry',
  'fork',
  'diff',
  'worker',
  'dev',
  'setup',
  'doctor',
]

describe('help', () => {
  it('names every command on stdout and is no error', async () => {
    const { out, err, code } = await perdure('--help')
    for (const name of COMMANDS) expect(out).toMatch(new RegExp(`^ +${name} `, 'm'))
    expect({ err, code }).toEqual({ err: '', code: 0 })
  })

  it.each(COMMANDS)('of %s tells its use', async (name) => {
    for (const args of [
      [name, '--help'],
      ['help', name],
    ]) {
      const { out, err, code } = await perdure(...args)
      expect(out).toContain(`Usage: perdure ${name} `)
      expect({ err, code }).toEqual({ err: '', code: 0 })
    }
  })

  it('of run tells the exit codes', async () => {
    expect((await perdure('run', '--help')).out).toContain('0 answered')
  })

  it('of worker names the variables of the model', async () => {
    expect((await perdure('worker', '--help')).out).toMatch(/OPENAI_API_KEY[\s\S]*OPENAI_MODEL/)
  })
})

it('the version is that of the package', async () => {
  const file = new URL('../../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  expect(await perdure('--version')).toEqual({ out: `${version}\n`, err: '', code: 0 })
})

describe('a wrong call ends with 2, says why on stderr, and starts nothing', () => {
  it.each([
    [[], 'Usage: perdure'],
    [['fly'], "unknown command 'fly'"],
    [['--fast'], "unknown option '--fast'"],
    [['run'], "missing required argument 'agent'"],
    [['run', 'support'], "missing required argument 'input'"],
    [['run', 'support', 'hi', 'there'], 'too many arguments'],
    [['run', 'support', 'hi', '--context', '[]'], 'Give a JSON object'],
    [['run', 'support', 'hi', '--context', '{'], 'Give a JSON object'],
    [['run', 'support', 'hi', '--priority', '0'], 'Give a whole number above 0'],
    [['run', 'support', 'hi', '--id'], 'argument missing'],
    [['show'], "missing required argument 'id'"],
    [['cancel'], "missing required argument 'id'"],
    [['retry'], 'Name one run, or many'],
    [['retry', 'a', '--query', 'x'], 'Name one run, or many'],
    [['fork'], "missing required argument 'id'"],
    [['fork', 'a', '--limits', 'max-steps=0'], 'Give limits such as'],
    [['fork', 'a', '--limits', 'steps=3'], 'Give limits such as'],
    [['fork', 'a', '--limits', 'deadline=soon'], 'Give limits such as'],
    [['fork', 'a', '--observation', '1=x'], 'Give <step>.<call>=<text>'],
    [['fork', 'a', '--step', '0'], 'Give a whole number above 0'],
    [['diff', 'a'], "missing required argument 'b'"],
    [['list', '--limit', 'all'], 'Give a whole number above 0'],
    [['worker'], "required option '--agents <file>' not specified"],
    [['worker', '--agents', 'x', '--log-level', 'LOUD'], 'Allowed choices are TRACE'],
    [['doctor', 'now'], 'too many arguments'],
    [['doctor', '--agents', 'nowhere.ts'], 'there is no file'],
    [['setup', '--force'], "unknown option '--force'"],
    [['dev'], "required option '--agents <file>' not specified"],
  ])('%j', async (args, why) => {
    const { out, err, code } = await perdure(...args)
    expect(err).toContain(why)
    expect({ out, code }).toEqual({ out: '', code: 2 })
  })

  it.each(['run', 'dev'])('%s with a file that is not there', async (name) => {
    const { out, err, code } = await perdure(name, 'a', 'hi', '--agents', 'no-such.js')
    expect(err).toMatch(/^error: --agents: there is no file .*no-such\.js\n$/)
    expect({ out, code }).toEqual({ out: '', code: 2 })
  })

  it('run with an agent that the file does not have', async () => {
    const path = await moduleFile(`export const a = ${agentText('support')}`)
    const { err, code } = await perdure('run', 'sales', 'hi', '--agents', path)
    expect(err).toBe(`error: ${path} has no agent "sales". Its agents: support.\n`)
    expect(code).toBe(2)
  })

  it('dev with an agent and no input', async () => {
    const { err, code } = await perdure('dev', 'support', '--agents', 'x.js')
    expect(err).toContain('give the input')
    expect(code).toBe(2)
  })
})

describe('with --json', () => {
  it('an error is a document on stdout and a line on stderr', async () => {
    const { out, err, code } = await perdure('run', 'a', 'hi', '--agents', 'no.js', '--json')
    expect(JSON.parse(out)).toEqual({
      error: { name: 'UsageError', message: expect.stringContaining('there is no file') },
    })
    expect(err).toMatch(/^error: .*\n$/)
    expect(code).toBe(2)
  })

  it('an error of the module keeps its message', async () => {
    const path = await moduleFile('throw new RangeError("DATABASE_URL is not set")')
    const { out, code } = await perdure('run', 'a', 'hi', '--agents', path, '--json')
    const { error } = JSON.parse(out)
    expect(Object.keys(error)).toEqual(['name', 'message'])
    expect(error.name).toBe('UsageError')
    // Which module, and what it said.
    expect(error.message).toContain(path)
    expect(error.message).toContain('RangeError: DATABASE_URL is not set')
    expect(code).toBe(2)
  })

  it('an error of the module that holds itself is a document all the same', async () => {
    const text = 'const e = new Error("HTTP 500"); e.request = { e }; throw e'
    const path = await moduleFile(text)
    const { out } = await perdure('run', 'a', 'hi', '--agents', path, '--json')
    expect(JSON.parse(out).error.message).toContain('HTTP 500')
  })

  it('an error of the module does not print its own fields', async () => {
    const text = 'throw Object.assign(new Error("HTTP 401"), { config: { auth: "hunter2" } })'
    const { out } = await perdure('run', 'a', 'hi', '--agents', await moduleFile(text), '--json')
    expect(out).not.toContain('hunter2')
  })

  it('a wrong option is a document on stdout as well', async () => {
    const { out } = await perdure('list', '--limit', 'all', '--json')
    expect(JSON.parse(out)).toMatchObject({ error: { message: expect.any(String) } })
  })
})
