// npm run pictures: draws what the example shows on a terminal and in the Temporal UI.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AgentClient, type RunHandle } from '../../src/client.js'
import { childEnvironment, serverConfig } from '../../src/config.js'
import { photographUi } from './photograph-ui.js'
import { type Recording, record } from './record.js'
import { terminalSvg } from './terminal-svg.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PICTURES = join(ROOT, 'docs/pictures')

/** What else the list shows; the timeline is the last one's. */
const TICKETS = [
  { id: 'ticket-39', customerId: 'c11', input: 'Where is A1027?' },
  { id: 'ticket-40', customerId: 'c7', input: 'Can I get my money back for A1019?' },
  { id: 'ticket-41', customerId: 'c2', input: 'What are the refund rules for A1054?' },
  { id: 'ticket-42', customerId: 'c9', input: 'A1041 never came. Refund it and email me, please.' },
]

async function main(): Promise<void> {
  await mkdir(PICTURES, { recursive: true })
  const dir = await mkdtemp(join(tmpdir(), 'perdure-pictures-'))
  try {
    await symlink(resolve(serverConfig().dir, 'pip'), join(dir, 'pip'))
    // The first start fills the database: seconds that no later one has.
    const first = npmStart(dir, 'Where is A1002?', '--customer', 'c6', '--once')
    if ((await first.exited) !== 0) throw new Error('npm start failed: run it to see why.')
    const session = npmStart(dir)
    try {
      await session.says('Ctrl-C stops everything')
      const typed = { ms: 0, text: '$ npm start\r\n' }
      const outputs = session.outputs.map(({ ms, text }) => ({ ms, text: masked(text, dir) }))
      const drawn = await terminalSvg('npm start', [typed, ...outputs])
      await writeFile(join(PICTURES, 'npm-start.svg'), drawn)
      await recordChat(addressesOf(session).address)
      await photographRuns(session)
    } finally {
      session.interrupt()
      await session.exited
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

function npmStart(dir: string, ...args: string[]): Recording {
  const unset = ['TEMPORAL_ADDRESS', 'DATABASE_URL', 'PERDURE_UI_URL', 'NO_COLOR', 'FORCE_COLOR']
  const model = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL']
  const terminal = { TERM: 'xterm-256color', npm_config_loglevel: 'silent', PERDURE_DIR: dir }
  return record(['npm', 'start', ...(args.length === 0 ? [] : ['--', ...args])], {
    cwd: ROOT,
    env: {
      ...childEnvironment(terminal),
      ...Object.fromEntries([...unset, ...model].map((name) => [name, undefined])),
    },
  })
}

/** The folder that a reader has; the rest must not name this machine. */
function masked(text: string, dir: string): string {
  const shown = text.replaceAll(dir, '.perdure')
  for (const place of [ROOT, tmpdir(), homedir()]) {
    if (shown.includes(place)) throw new Error(`A picture would show ${place}:\n${shown}`)
  }
  return shown
}

function addressesOf({ outputs }: Recording): { address: string; uiUrl: string } {
  const said = outputs.map(({ text }) => text).join('')
  const [, address, uiUrl] = /· (\S+:\d+) · UI (http:\S+)/.exec(said) ?? []
  if (address === undefined || uiUrl === undefined) throw new Error(`no addresses in:\n${said}`)
  return { address, uiUrl }
}

/** Lets a run end, whatever it asks to be approved. */
async function approveAll(run: RunHandle): Promise<void> {
  while ((await run.status()).status === 'running') {
    for (const { id } of await run.pendingApprovals()) await run.approve(id, { by: 'ann' })
  }
}

/** A conversation, in which a refund above 100 is approved at the prompt. */
async function recordChat(address: string): Promise<void> {
  const shown = 'perdure chat after-sales --id customer-7 --context \'{"customerId":"c7"}\''
  const options = ['--address', address, '--id', 'customer-7', '--context', '{"customerId":"c7"}']
  const cli = join(ROOT, 'src/cli.ts')
  const chat = record(
    [process.execPath, '--import', 'tsx', cli, 'chat', 'after-sales', ...options],
    { cwd: ROOT, env: { ...childEnvironment({ TERM: 'xterm-256color' }), NO_COLOR: undefined } },
  )
  await chat.says('you> ')
  chat.type('My boots of order A1163 came back to you. Please refund it.')
  await chat.says('approve? ')
  chat.type('y')
  await chat.says('I refunded')
  chat.type('/status')
  await chat.says('idle')
  chat.type('/exit')
  await chat.exited
  const outputs = [{ ms: 0, text: `$ ${shown}\r\n` }, ...chat.outputs]
  await writeFile(join(PICTURES, 'chat.svg'), await terminalSvg('perdure chat', outputs))
}

/** Starts some more runs on the worker of the session, and photographs the UI. */
async function photographRuns(recording: Recording): Promise<void> {
  const { address, uiUrl } = addressesOf(recording)
  const client = await AgentClient.connect({ environment: false, address })
  try {
    let run = { id: '', runId: '' }
    for (const { id, customerId, input } of TICKETS) {
      const started = await client.start('after-sales', { id, input, context: { customerId } })
      await approveAll(started)
      const { runId } = await client.client.workflow.getHandle(id).describe()
      run = { id, runId }
    }
    await photographUi({ uiUrl, run, folder: PICTURES })
  } finally {
    await client.close()
  }
}

await main()
