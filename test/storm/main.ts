// npm run storm: 200 runs in a storm of faults, and 200 in a worse one; figures go to docs/storm.md.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { serverConfig } from '../../src/config.js'
import { startDevServer } from '../../src/testing/index.js'
import { installQuietRuntime } from '../kit/quiet-runtime.js'
import { type StormFigures, storm } from './storm.js'

const FILE = fileURLToPath(new URL('../../docs/storm.md', import.meta.url))
const WEATHER = { seed: 20_261_130, modelFaults: 0.3, toolFaults: 0.2 }
const SIZE = { runs: 200, atOnce: 20 }

async function main(): Promise<void> {
  installQuietRuntime()
  const log = (line: string) => process.stderr.write(`${line}\n`)
  const { path, dir } = serverConfig()
  const server = await startDevServer({ path, dir, headless: true, log })
  try {
    const { address } = server
    log('storm: at most 2 faults in a row for one call')
    const bounded = await storm({ ...WEATHER, ...SIZE, inARow: 2, address, log })
    log('worse storm: no limit, half of all requests and calls fault')
    const worse = { ...WEATHER, modelFaults: 0.5, toolFaults: 0.5, inARow: Number.MAX_SAFE_INTEGER }
    const unbounded = await storm({ ...worse, ...SIZE, address, log })
    const text = page(bounded, unbounded)
    await writeFile(FILE, text)
    process.stdout.write(text)
    process.exitCode = isCalm(bounded) && isEnded(unbounded) ? 0 : 1
  } finally {
    await server.kill()
  }
}

function isCalm(figures: StormFigures): boolean {
  return figures.ends['answered'] === figures.runs && isEnded(figures)
}

function isEnded({ workflowTaskFailures, doubled, requests, ...rest }: StormFigures): boolean {
  return workflowTaskFailures === 0 && doubled === 0 && requests === rest.attempts + rest.resends
}

function page(bounded: StormFigures, unbounded: StormFigures): string {
  const row = (name: string, of: (figures: StormFigures) => string | number) =>
    `| ${name} | ${of(bounded)} | ${of(unbounded)} |`
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, n]) => `${n} × ${name}`)
      .join('; ')
  return `# Fault storm

Made by \`npm run storm\` on a real dev server: ${SIZE.runs} runs, ${SIZE.atOnce} at once, seed ${WEATHER.seed}. Each run makes
five model calls, four reads, one keyed write and one write that runs once. In the storm 30 % of the model requests and 20 % of
the reads fault, at most twice in a row for one call; in the worse one half of both, without that limit. Model attempts are at their
default (6), those of tools too (3).

| | storm | worse storm |
|---|---|---|
${row('runs', ({ runs }) => runs)}
${row('ended', ({ ends }) => list(ends))}
${row('failed workflow tasks', ({ workflowTaskFailures }) => workflowTaskFailures)}
${row('writes done twice', ({ doubled }) => doubled)}
${row('model requests', ({ requests }) => requests)}
${row('attempts in the histories', ({ attempts }) => attempts)}
${row('recorded resends', ({ resends }) => resends)}
${row('seconds', ({ seconds }) => seconds.toFixed(0))}

Faults of the model, storm: ${list(bounded.faults)}.

Faults of the model, worse storm: ${list(unbounded.faults)}.
`
}

await main()
