import { HttpServer } from '#adapters/http/server.ts';
import { outliveErrors, outliveOutputs } from '#adapters/process/unhandled-errors.ts';
import { vouchedCertificate } from '#lib/authentication/vouched-certificate.ts';
import { configOf } from './config.ts';
import { addressOf } from './event-door.ts';
import { reportFault, reportUnhandled, startPlatform } from './platform.ts';

/** The API server as a program that listens with plain HTTP, behind who ends TLS. Ends cleanly on SIGTERM. */
async function main(): Promise<void> {
  outliveOutputs();
  const config = configOf(process.env);
  const { host, port, originSecret, endpoint = `https://localhost:${port}` } = config;
  const server = await startPlatform(config, addressOf(endpoint));
  const http = await HttpServer.listen({
    host,
    port,
    gzip: true,
    handle: server.handle,
    vouched: (headers) => vouchedCertificate(headers, originSecret),
    onFault: (error) => reportFault('', error),
  });
  outliveErrors(reportUnhandled);
  process.once('SIGTERM', () => {
    http
      .close()
      .then(() => server.close())
      .then(() => process.exit(0), fail);
  });
  console.log(JSON.stringify({ level: 'info', message: 'ready', port: http.port }));
}

function fail(error: unknown): never {
  reportFault('', error);
  process.exit(1);
}

main().catch(fail);
