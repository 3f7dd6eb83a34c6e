import { logLine } from '#adapters/process/log-line.ts';
import { outliveErrors, outliveOutputs } from '#adapters/process/unhandled-errors.ts';
import { configOf } from './config.ts';
import { listen } from './listening.ts';
import { reportFault, reportUnhandled } from './platform.ts';

/** The API server behind a web function, and in a container. Ends cleanly on SIGTERM. */
async function main(): Promise<void> {
  outliveOutputs();
  const server = await listen(configOf(process.env));
  outliveErrors(reportUnhandled);
  process.once('SIGTERM', () => {
    logLine({ level: 'info', message: 'stopping', signal: 'SIGTERM' });
    void server.close().then(stopped, fail);
  });
  logLine({ level: 'info', message: 'ready', port: server.port });
}

function stopped(): never {
  logLine({ level: 'info', message: 'stopped' });
  process.exit(0);
}

function fail(error: unknown): never {
  reportFault('', error);
  process.exit(1);
}

main().catch(fail);
