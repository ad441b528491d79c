import type { Duration } from '@temporalio/common'
import type { LogLevel } from '@temporalio/worker'
import { Command, Option } from 'commander'
import type { Agent } from '../../definition/define-agent.js'
import { type AgentWorker, createWorker } from '../../worker/create-worker.js'
import { loadAgents } from '../load-agents.js'
import { agentsOption, connectOptions, type ServerOptions, withServerOptions } from '../options.js'
import { logFrom } from '../quiet.js'
import { line, type Terminal } from '../terminal.js'

interface WorkerCommandOptions extends ServerOptions {
  readonly agents: string
  readonly heartbeatTimeout?: Duration
  readonly stickyTimeout?: Duration
  readonly graceTime?: Duration
  readonly logLevel: LogLevel
}

/** `perdure worker` */
export function workerCommand({ err }: Terminal): Command {
  return withServerOptions(new Command('worker'))
    .description('work the runs of agents until SIGINT or SIGTERM')
    .addOption(agentsOption().makeOptionMandatory())
    .option('--heartbeat-timeout <time>', 'a worker silent for so long is dead (default: 10s)')
    .option('--sticky-timeout <time>', "a dead worker's runs move after so long (default: 5s)")
    .option('--grace-time <time>', 'time that running calls get at the end (default: 10s)')
    .addOption(
      new Option('--log-level <level>', "Temporal's log on stderr, from this level on")
        .choices(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR'])
        .default('WARN'),
    )
    .addHelpText(
      'after',
      `
The model: OPENAI_API_KEY for OpenAI, OPENAI_BASE_URL for any OpenAI-compatible server (a local one
needs no key), OPENAI_MODEL to replace the model that the agents name.`,
    )
    .action(async (options: WorkerCommandOptions) => {
      const agents = await loadAgents(options.agents)
      logFrom(options.logLevel)
      const { heartbeatTimeout, stickyTimeout, graceTime } = options
      const worker = await createWorker({
        agents,
        ...connectOptions(options),
        ...(heartbeatTimeout === undefined ? {} : { heartbeatTimeout }),
        ...(stickyTimeout === undefined
          ? {}
          : { stickyQueueScheduleToStartTimeout: stickyTimeout }),
        ...(graceTime === undefined ? {} : { shutdownGraceTime: graceTime }),
      })
      if (process.send === undefined) announce(worker, agents, err)
      else obeyParent(worker)
      await worker.run()
    })
}

function announce(worker: AgentWorker, agents: readonly Agent[], err: NodeJS.WriteStream): void {
  const names = agents.map(({ name }) => name).join(', ')
  line(err, `worker ${process.pid} polls task queue "${worker.taskQueue}" for ${names}`)
}

/** Tells the parent (`perdure dev`) that this worker is ready, and ends when the parent lets go of it. */
function obeyParent(worker: AgentWorker): void {
  process.once('disconnect', () => worker.shutdown())
  if (process.connected) process.send?.('ready')
  else worker.shutdown()
}
