import { runAgent } from './agent.ts';
import { agentLog } from './log.ts';
import { readOptions } from './options.ts';

const options = readOptions(process.argv.slice(2));
const log = agentLog(options.verbosity);
const ending = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());

try {
  await runAgent(options, log, ending.signal);
  process.exit(0);
} catch (error) {
  if (ending.signal.aborted) process.exit(0);
  log.fault(`node ${options.node} cannot join`)(error);
  process.exit(1);
}
