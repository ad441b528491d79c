import { Command } from 'commander'
import { connect } from '../../client/connect.js'
import { registerAttributes } from '../../client/search-attributes/register-attributes.js'
import { attributeFinding } from '../../doctor/attribute-finding.js'
import { EXIT } from '../exit-codes.js'
import { connectOptions, jsonOption, type ServerOptions, withServerOptions } from '../options.js'
import { exitCodeOfFindings, printFinding } from '../print-findings.js'
import { json, type Terminal } from '../terminal.js'

interface SetupOptions extends ServerOptions {
  readonly json?: boolean
}

/** `perdure setup` */
export function setupCommand({ out }: Terminal): Command {
  return withServerOptions(new Command('setup'))
    .description("register perdure's search attributes on the namespace; may be run again")
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Exit code: 0 all are registered, with the right types · 1 some are not, and why · 2 bad call`,
    )
    .action(async (options: SetupOptions) => {
      const { client, address = '', close } = await connect(connectOptions(options))
      try {
        const { namespace } = client.options
        const { operatorService } = client.connection
        const { workflowService } = client
        const attributes = await registerAttributes({ operatorService, workflowService, namespace })
        const findings = attributes.map((one) => attributeFinding(one, { address, namespace }))
        process.exitCode = exitCodeOfFindings(findings)
        const ok = process.exitCode === EXIT.answered
        if (options.json) json(out, { ok, namespace, attributes })
        else for (const each of findings) printFinding(out, each)
      } finally {
        await close()
      }
    })
}
