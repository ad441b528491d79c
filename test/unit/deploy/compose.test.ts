import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SEARCH_ATTRIBUTES } from '../../../src/contract/names.js'
import { TUNING } from '../../../src/server/tuning.js'
import { TEMPORAL_VERSION } from '../../cluster/temporal-build.js'
import { readComposeFile } from '../../kit/compose-file.js'

const { services, volumes } = readComposeFile()
const all = Object.entries(services)

function path(file: string): string {
  return fileURLToPath(new URL(`../../../${file}`, import.meta.url))
}

function text(file: string): string {
  return readFileSync(path(file), 'utf8')
}

describe('docker-compose.yml', () => {
  test.each(all)('%s has an image of an exact version, or is built here', (_, { image, build }) => {
    if (build === undefined) expect(image).toMatch(/:\d+\.\d+[\w.-]*$/)
    else expect(existsSync(path(`${build}/Dockerfile`))).toBe(true)
  })

  test.each(all)(
    '%s mounts what is there, read-only, and volumes that are declared',
    (_, service) => {
      for (const mount of service.volumes) {
        const [source = '', , mode] = mount.split(':')
        if (source.startsWith('./')) {
          expect(existsSync(path(source)), source).toBe(true)
          expect(mode).toBe('ro')
        } else expect(Object.keys(volumes)).toContain(source)
      }
    },
  )

  test.each(all)('%s can be reached from this machine alone', (_, { ports }) => {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/)
  })

  test.each(all)('%s waits for services that get to the state that it waits for', (_, service) => {
    for (const [name, { condition }] of Object.entries(service.depends_on)) {
      const other = services[name]
      expect(other, name).toBeDefined()
      if (condition === 'service_healthy') expect(other?.healthcheck, name).toBeDefined()
      else expect(condition).toBe('service_completed_successfully')
    }
  })

  test('runs the version of the server that npm run test:cluster proves', () => {
    expect(services['temporal']?.image).toBe(`temporalio/server:${TEMPORAL_VERSION}`)
    expect(services['schema']?.image).toContain(`:${TEMPORAL_VERSION}-`)
    expect(services['namespace']?.image).toBe(services['schema']?.image)
  })

  test('runs scripts that are mounted where they are called', () => {
    for (const name of ['schema', 'namespace']) {
      const { entrypoint = [], volumes: mounts = [] } = services[name] ?? {}
      expect(mounts).toContain(`.${entrypoint.at(-1)}:${entrypoint.at(-1)}:ro`)
    }
    const { environment, volumes: mounts } = services['temporal'] ?? {}
    const dynamic = environment?.['DYNAMIC_CONFIG_FILE_PATH']
    expect(mounts).toContain(`.${dynamic}:${dynamic}:ro`)
  })

  test('gives a worker more time to end than the worker takes', () => {
    // Grace time and the time after which it gives up on everything, in src/worker/create-worker.ts.
    const worker = 10 + 5
    expect(Number(services['worker']?.stop_grace_period?.replace(/s$/, ''))).toBeGreaterThan(worker)
  })
})

test('deploy/dynamic-config.yaml has what every server that perdure starts is tuned with', () => {
  const file: unknown = parse(text('deploy/dynamic-config.yaml'))
  const tuning = Object.entries(TUNING).map(([key, value]) => [key, [{ value }]])
  expect(file).toEqual(Object.fromEntries(tuning))
})

test('deploy/setup-namespace.sh registers the search attributes, each with its type', () => {
  const pairs = text('deploy/setup-namespace.sh').matchAll(/--name (\w+) --type (\w+)/g)
  expect(Object.fromEntries([...pairs].map(([, name, type]) => [name, type]))).toEqual(
    SEARCH_ATTRIBUTES,
  )
})

describe('Dockerfile', () => {
  const dockerfile = text('Dockerfile')

  test('runs as a user without rights, with a health check, and node as the process that gets SIGTERM', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
    expect(last).toMatch(/^USER node$/m)
    expect(last).toMatch(/^HEALTHCHECK .*\\\n +CMD \["node", "deploy\/healthcheck\.js"\]$/m)
    expect(last).toMatch(/^ENTRYPOINT \["node", .*"src\/cli\.js"\]$/m)
  })

  test('copies what is there and what .dockerignore lets in', () => {
    const ignored = text('.dockerignore').split('\n')
    const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)]
    const files = copies.flatMap(([, names = '']) => names.split(' '))
    expect(files).toContain('src')
    for (const file of files) {
      expect(existsSync(path(file)), file).toBe(true)
      expect(ignored, file).toContain(`!${file}`)
    }
  })
})
