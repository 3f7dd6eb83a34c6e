import { HttpServer } from '#adapters/server/http/server.ts';
import { vouchedCertificate } from '#lib/server/authentication/vouched-certificate.ts';
import type { Config } from './config.ts';
import { addressOf } from './event-door.ts';
import { openPlatform, reportFault } from './platform.ts';
import type { Apiserver } from './wiring.ts';

/** The API server as a program that listens with plain HTTP, behind a proxy that terminates TLS. */
export interface Listening {
  readonly port: number;
  /** Ends open streams, then the server. It takes at most three seconds, whatever clients and nodes do. */
  close(): Promise<void>;
}

/** Starts the API server on the configured address. */
export async function listen(
  config: Config,
  startAt: (config: Config, address: string) => Promise<Apiserver> = startWithBackends,
): Promise<Listening> {
  const { host, port, originSecret, endpoint = `https://localhost:${port}` } = config;
  const server = await startAt(config, addressOf(endpoint));
  const http = await HttpServer.listen({
    host,
    port,
    gzip: true,
    upgrades: config.frontDoor === 'container',
    handle: server.handle,
    vouched: (headers) => vouchedCertificate(headers, originSecret),
    onFault: (error) => reportFault('', error),
  });
  return {
    port: http.port,
    async close() {
      await http.close();
      await server.close();
    },
  };
}

/** Loads the code that reaches nodes, which only a container needs. */
async function startWithBackends(config: Config, address: string): Promise<Apiserver> {
  const given = config.frontDoor === 'container' ? { backends: (await import('./backends.ts')).containerBackends } : {};
  return (await openPlatform(config, address, new Map(), given)).server;
}
