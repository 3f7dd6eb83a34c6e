import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { HealthAnswer, HealthCheckPorts } from '#lib/node/proxy/healthcheck/service-health.ts';
import type { ServiceName } from '#lib/node/proxy/types.ts';

/** Milliseconds that a client may take. */
export const PATIENCE = { headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: 30_000 };
/** Connections at once of one port. */
export const MAX_CONNECTIONS = 100;

/** The settings of health check node ports. */
export interface HealthPortsOptions {
  /** Addresses to listen at. */
  readonly addresses: readonly string[];
  answer(service: ServiceName): HealthAnswer;
  /** A port cannot be served; it is tried again with the next call. */
  onFault(service: ServiceName, port: number, error: unknown): void;
}

interface Served {
  readonly port: number;
  readonly servers: readonly Server[];
}

/** The ports at which a node tells load balancers whether it has endpoints of a Service (upstream: ServiceHealthServer). */
export class HealthPorts implements HealthCheckPorts, AsyncDisposable {
  readonly #options: HealthPortsOptions;
  readonly #served = new Map<ServiceName, Served>();

  constructor(options: HealthPortsOptions) {
    this.#options = options;
  }

  /** Serves these ports, and no others. One call at a time. */
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
        server.listen({ port, host: address, ipv6Only: true }); // IPv4 has servers of its own
        await once(server, 'listening');
      }
      this.#served.set(service, { port, servers });
    } catch (error) {
      await closeAll(servers.filter(({ listening }) => listening));
      this.#options.onFault(service, port, error);
    }
  }

  /** Answers any request alike, as upstream. */
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
