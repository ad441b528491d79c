import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { serverConfig } from '../../src/config.js'
import { callTool, say, startModelServer } from '../../src/testing/index.js'

const run = promisify(execFile)
const TSC = resolve('node_modules/.bin/tsc')

/** Packs the package and installs it, with what its peer ranges bring, in an empty project. */
async function installed(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'perdure-package-'))
  onTestFinished(() => rm(project, { recursive: true, force: true }))
  await run('npm', ['pack', '--pack-destination', project])
  const [tarball] = await readdir(project)
  await cp('test/e2e/fixtures/package', project, { recursive: true })
  const manifest = { name: 'user-project', private: true, type: 'module' }
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest))
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline']
  const types = `@types/node@20`
  await run('npm', ['install', ...quiet, `./${tarball}`, types], { cwd: project })
  const compilerOptions = {
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    skipLibCheck: true,
    outDir: 'dist',
    types: ['node'],
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  await run(TSC, ['-p', '.'], { cwd: project })
  return project
}

test('the packed package works in an empty project: types, an agent with one tool, the CLI, no worker in a client', async () => {
  const project = await installed()
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
  const version = await run('npx', ['--no', 'perdure', '--version'], { cwd: project })
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)

  // The CLI loads agents that are TypeScript, by the project's own tsx, and works their run itself.
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', 'tsx@4.23.15'], {
    cwd: project,
  })
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

  // A backend that only starts runs needs neither the worker nor the model's package.
  for (const name of ['@temporalio/worker', '@temporalio/core-bridge', 'openai', 'zod']) {
    await rm(join(project, 'node_modules', name), { recursive: true })
  }
  const load = `const { AgentClient } = await import('perdure/client'); process.stdout.write(AgentClient.name)`
  const client = await run(process.execPath, ['--input-type=module', '-e', load], { cwd: project })
  expect(client.stdout).toBe('AgentClient')
}, 300_000)
