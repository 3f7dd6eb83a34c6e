import { messageOfError } from '#lib/machinery/error-message.ts';
import { runAgent } from './agent.ts';
import { agentLog } from './log.ts';
import { readOptions, type AgentOptions } from './options.ts';

const options = await readOptions(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`davit-node-agent: ${messageOfError(error)}`);
  process.exit(1);
});
await run(options);

async function run(agent: AgentOptions): Promise<void> {
  const log = agentLog(agent.verbosity);
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());
  for (const warning of agent.warnings) log.info(warning);
  try {
    await runAgent(agent, log, ending.signal);
    process.exit(0);
  } catch (error) {
    if (ending.signal.aborted) process.exit(0);
    log.fault(`node ${agent.node} cannot join`)(error);
    process.exit(1);
  }
}
