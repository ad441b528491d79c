import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'

const FILE = fileURLToPath(new URL('../../docker-compose.yml', import.meta.url))

/** As far as tests look at it. */
const service = z.object({
  image: z.string().optional(),
  build: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  stop_grace_period: z.string().optional(),
})

const composeFile = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.unknown()),
})

/** `docker-compose.yml` as compose reads it where no variable is set. */
export function readComposeFile(): z.infer<typeof composeFile> {
  return composeFile.parse(parse(readFileSync(FILE, 'utf8'), interpolate, { merge: true }))
}

function interpolate(_: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value
  return value.replaceAll(/\$\{\w+:-([^}]*)\}/g, (_, standard: string) => standard)
}
