import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { HealthAnswer, HealthCheckPorts } from '#lib/node/proxy/healthcheck/service-health.ts';
import type { ServiceName } from '#lib/node/proxy/types.ts';

/** Time limits for a client in ms. */
export const PATIENCE = { headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: 30_000 };
/** Maximum concurrent connections of one port. */
export const MAX_CONNECTIONS = 100;

/** The settings of health check node ports. */
export interface HealthPortsOptions {
  /** Addresses to listen on. */
  readonly addresses: readonly string[];
  answer(service: ServiceName): HealthAnswer;
  /** Called if a port cannot be served. The next call of `sync` tries it again. */
  onFault(service: ServiceName, port: number, error: unknown): void;
}

interface Served {
  readonly port: number;
  readonly servers: readonly Server[];
}

/** The ports that tell load balancers whether a node has endpoints of a Service (upstream: ServiceHealthServer). */
export class HealthPorts implements HealthCheckPorts, AsyncDisposable {
  readonly #options: HealthPortsOptions;
  readonly #served = new Map<ServiceName, Served>();

  constructor(options: HealthPortsOptions) {
    this.#options = options;
  }

  /** Serves exactly these ports. Calls must not overlap. */
  async sync(ports: ReadonlyMap<ServiceName, number>): Promise<void> {
    for (const [service, served] of this.#served)
      if (ports.get(service) !== served.port) {
        this.#served.delete(service);
        await closeAll(served.servers);
      }
    for (const [service, port] of ports) if (!this.#served.has(service)) await this.#open(service, port);
  }

  async #open(service: ServiceName, port: number): Promise<void> {
    const servers: Server[] = [];
    try {
      for (const address of this.#options.addresses) {
        const server = this.#serverOf(service);
        servers.push(server);
        server.listen({ port, host: address, ipv6Only: true }); // IPv4 has separate servers
        await once(server, 'listening');
      }
      this.#served.set(service, { port, servers });
    } catch (error) {
      await closeAll(servers.filter(({ listening }) => listening));
      this.#options.onFault(service, port, error);
    }
  }

  /** Creates a server that sends the same response to every request, as upstream does. */
  #serverOf(service: ServiceName): Server {
    const server = createServer(PATIENCE, (request, response) => {
      const { status, headers, body } = this.#options.answer(service);
      request.resume();
      response.writeHead(status, headers).end(body);
    });
    server.maxConnections = MAX_CONNECTIONS;
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sync(new Map());
  }
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  for (const server of servers) {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
}
