import { messageOfError } from '#lib/machinery/error-message.ts';
import { runAgent } from './agent.ts';
import { agentLog, type Log } from './log.ts';
import { type AgentOptions, readOptions } from './options.ts';

/** Runs until a signal ends it. The program is also bundled as CommonJS, which has no top-level await. */
async function main(): Promise<never> {
  const options = await readOptions(process.argv.slice(2)).catch((error: unknown) => {
    console.error(`davit-node-agent: ${messageOfError(error)}`);
    process.exit(1);
  });
  return run(options);
}

async function run(options: AgentOptions): Promise<never> {
  const log = agentLog(options);
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => {
      log.info(`stopping: ${name}`);
      ending.abort();
    });
  for (const warning of options.warnings) log.info(warning);
  try {
    await runAgent(options, log, ending.signal);
    return stopped(log);
  } catch (error) {
    if (ending.signal.aborted) return stopped(log);
    const node = options.ec2Identity === undefined ? `node ${options.node}` : 'the node of this instance';
    log.fault(`${node} cannot go on`)(error);
    process.exit(1);
  }
}

function stopped(log: Log): never {
  log.info('stopped');
  process.exit(0);
}

void main();
