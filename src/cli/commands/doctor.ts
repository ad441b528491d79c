import { Command } from 'commander'
import { CHECKS } from '../../doctor/checks/index.js'
import { examine } from '../../doctor/examine.js'
import type { Finding } from '../../doctor/finding.js'
import { createSubject } from '../../doctor/subject.js'
import { EXIT } from '../exit-codes.js'
import { loadAgents } from '../load-agents.js'
import {
  agentsOption,
  connectOptions,
  jsonOption,
  type ServerOptions,
  withServerOptions,
} from '../options.js'
import { exitCodeOfFindings, printFinding } from '../print-findings.js'
import { json, type Terminal } from '../terminal.js'

interface DoctorOptions extends ServerOptions {
  readonly agents?: string
  readonly completion: boolean
  readonly json?: boolean
}

/** `perdure doctor` */
export function doctorCommand({ out }: Terminal): Command {
  return withServerOptions(new Command('doctor'))
    .description('look at a set-up: server, workers, model, agents; each line ok or what to do')
    .addOption(agentsOption())
    .option('--no-completion', 'ask the model for nothing that costs tokens')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Looks at it as a worker in this environment would see it; changes nothing. A key is never printed.

Exit code: 0 nothing failed (warnings are none) · 1 something failed · 2 bad call`,
    )
    .action(async (options: DoctorOptions) => {
      const agents = options.agents === undefined ? undefined : await loadAgents(options.agents)
      const subject = createSubject({
        ...connectOptions(options),
        completion: options.completion,
        ...(agents === undefined ? {} : { agents }),
      })
      const findings: Finding[] = []
      try {
        for await (const finding of examine(CHECKS, subject)) {
          findings.push(finding)
          if (!options.json) printFinding(out, finding)
        }
      } finally {
        await subject.close()
      }
      process.exitCode = exitCodeOfFindings(findings)
      if (options.json) json(out, { ok: process.exitCode === EXIT.answered, checks: findings })
    })
}
