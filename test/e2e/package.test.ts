import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { sourceMapOf } from '../../scripts/bundle-workflows.js'
import { serverConfig } from '../../src/config.js'
import { callTool, say, startModelServer } from '../../src/testing/index.js'

const run = promisify(execFile)
const TSC = resolve('node_modules/.bin/tsc')

/** The tests share one installation, and go on with what those before them left of it. */
let project: string

beforeAll(async () => {
  project = await installed()
}, 300_000)

afterAll(() => rm(project, { recursive: true, force: true }))

/** Packs the package and installs it, with the SDK that it was built with, in an empty project. */
async function installed(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-package-'))
  await run('npm', ['pack', '--pack-destination', folder])
  const [tarball] = await readdir(folder)
  await cp('test/e2e/fixtures/package', folder, { recursive: true })
  const dependencies = await sdk()
  const manifest = { name: 'user-project', private: true, type: 'module', dependencies }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline']
  // Another protobufjs than the SDK's, where every package looks first.
  const others = ['@types/node@20', 'tsx@4.23.15', 'protobufjs@7.6.6']
  await run('npm', ['install', ...quiet, `./${tarball}`, ...others], { cwd: folder })
  const compilerOptions = {
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    skipLibCheck: true,
    outDir: 'dist',
    types: ['node'],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  await run(TSC, ['-p', '.'], { cwd: folder })
  return folder
}

/** Temporal's packages at the versions of this checkout, but for the optional one. */
async function sdk(): Promise<Record<string, string>> {
  const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8'))
  const ours = Object.entries<string>(devDependencies).filter(
    ([name]) => name.startsWith('@temporalio/') && name !== '@temporalio/testing',
  )
  return Object.fromEntries(ours)
}

test('the packed package works in an empty project: types, an agent with one tool, own workflows', async () => {
  const env = { ...process.env, TEST_SERVER_DIR: resolve(serverConfig().dir) }
  const { stdout } = await run(process.execPath, ['dist/app.js'], { cwd: project, env })
  expect(JSON.parse(stdout)).toEqual({
    answer: 'It is paid.',
    stopReason: 'answered',
    steps: 2,
    modelCalls: 2,
    violations: [],
    calls: [expect.stringContaining('"status":"paid"')],
    ticket: 'Ticket closed: It is paid.',
  })
  // Nobody who does not use S3 has its client; whoever does is told what to install.
  const open = `const { s3Artifacts } = await import('perdure/worker'); await s3Artifacts({ bucket: 'b' }).open().catch((error) => process.stdout.write(String(error)))`
  const s3 = await run(process.execPath, ['--input-type=module', '-e', open], { cwd: project })
  expect(s3.stdout).toBe(
    'MissingS3ClientError: s3Artifacts needs the package @aws-sdk/client-s3, which perdure does not bring: npm install @aws-sdk/client-s3',
  )
  const version = await run('npx', ['--no', 'perdure', '--version'], { cwd: project })
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
}, 120_000)

test('its CLI runs an agent that is TypeScript, and brings the workflows ready made', async () => {
  // Without these nothing can be bundled at start.
  for (const name of ['source-map-loader', 'swc-loader', '@swc']) {
    await rm(join(project, 'node_modules', name), { recursive: true })
  }
  const model = await startModelServer({
    script: [callTool('lookup_order', { orderId: 'A1001' }), say('It is paid.')],
  })
  onTestFinished(() => model.close())
  const context = '{"customerId":"c7"}'
  const args = ['after-sales', 'Why?', '--agents', 'agents.ts', '--context', context, '--json']
  const queue = `package-${randomUUID()}`
  const cli = await run('npx', ['--no', 'perdure', 'run', ...args, '--task-queue', queue], {
    cwd: project,
    env: {
      ...process.env,
      TEMPORAL_ADDRESS: inject('temporal').address,
      OPENAI_BASE_URL: model.url,
    },
  })
  expect(JSON.parse(cli.stdout)).toMatchObject({ answer: 'It is paid.', stopReason: 'answered' })
}, 120_000)

test('its CLI and perdure/replay read histories beside another protobufjs, without a server', async () => {
  const hoisted = JSON.parse(
    await readFile(join(project, 'node_modules/protobufjs/package.json'), 'utf8'),
  )
  expect(hoisted.version).toBe('7.6.6')
  const file = resolve('test/sandbox/histories/answered.json')
  const env = { ...process.env, TEMPORAL_ADDRESS: '127.0.0.1:1' }
  const cli = await run('npx', ['--no', 'perdure', 'replay', file], { cwd: project, env })
  expect(cli.stdout).toMatch(/answered: the model answered, after 2 steps\n.*\ndeterministic\n$/)
  const load = `
    import { exportRun, parseHistory, readHistory, replayRun } from 'perdure/replay'
    const history = await readHistory(${JSON.stringify(file)})
    const again = parseHistory(JSON.stringify(await exportRun(history)), 'export')
    const { verdict, steps } = await replayRun(again)
    process.stdout.write(JSON.stringify([verdict.kind, steps.length]))`
  const code = await run(process.execPath, ['--input-type=module', '-e', load], {
    cwd: project,
    env,
  })
  expect(JSON.parse(code.stdout)).toEqual(['deterministic', 2])
}, 60_000)

test('its workflow bundle tells nothing of the machine that made it', async () => {
  const dist = join(project, 'node_modules', 'perdure', 'dist')
  const code = await readFile(join(dist, 'workflow-bundle.js'), 'utf8')
  const map = JSON.stringify(sourceMapOf(code))
  expect(map).toContain('"perdure/src/workflows/agent.ts"')
  expect(`${code}${map}`).not.toContain(resolve('.'))
})

test('its worker refuses an SDK that the workflows were not bundled with, and says what to do', async () => {
  for (const name of ['worker', 'workflow']) {
    const file = join(project, 'node_modules/@temporalio', name, 'package.json')
    const manifest = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify({ ...manifest, version: '1.999.0' }))
  }
  const args = ['worker', '--agents', 'dist/agents.js', '--address', inject('temporal').address]
  const refused = run('npx', ['--no', 'perdure', ...args], {
    cwd: project,
    env: { ...process.env, OPENAI_API_KEY: 'none' },
  })
  await expect(refused).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Version 1\.999\.0 .* is installed.*PERDURE_BUNDLE=build/),
  })
}, 60_000)

test('a backend that only starts runs needs neither the worker nor the package of the model', async () => {
  for (const name of ['@temporalio/worker', '@temporalio/core-bridge', 'openai', 'zod']) {
    await rm(join(project, 'node_modules', name), { recursive: true })
  }
  const load = `const { AgentClient } = await import('perdure/client'); process.stdout.write(AgentClient.name)`
  const client = await run(process.execPath, ['--input-type=module', '-e', load], { cwd: project })
  expect(client.stdout).toBe('AgentClient')
}, 60_000)
