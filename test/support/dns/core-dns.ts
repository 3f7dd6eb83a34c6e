import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { RunningProgram } from '#test/clients/e2e/program.ts';

/** Serves an API server in this process over plain HTTP, for a client without TLS. All requests use this token. */
export async function overHttp(server: Apiserver, token: string): Promise<Server> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const ended = new AbortController();
    response.on('close', () => ended.abort());
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const { status, headers, body } = await server.handle({
      method: request.method ?? 'GET',
      path: pathname,
      query: searchParams,
      headers: { accept: request.headers.accept ?? '*/*', authorization: `Bearer ${token}` },
      body: async () => Buffer.alloc(0),
      signal: () => ended.signal,
    });
    response.writeHead(status, headers);
    response.flushHeaders();
    if (typeof body === 'string' || body instanceof Uint8Array) return void response.end(body);
    for await (const chunk of body) response.write(chunk);
    response.end();
  };
  const listener = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return listener;
}

/** The token of CoreDNS, which is also its user name. */
export const COREDNS = 'coredns';

/** Allows CoreDNS's user to list and watch its three types. */
export async function allowCoreDNS(client: Client): Promise<void> {
  const rule = (apiGroup: string, resources: string[]) => ({
    apiGroups: [apiGroup],
    resources,
    verbs: ['list', 'watch'],
  });
  const rules = [rule('', ['services', 'namespaces']), rule('discovery.k8s.io', ['endpointslices'])];
  await client.create(CLUSTER_ROLES, { metadata: { name: COREDNS }, rules });
  const apiGroup = 'rbac.authorization.k8s.io';
  const roleRef = { apiGroup, kind: 'ClusterRole', name: COREDNS };
  const subjects = [{ apiGroup, kind: 'User', name: COREDNS }];
  await client.create(CLUSTER_ROLE_BINDINGS, { metadata: { name: COREDNS }, roleRef, subjects });
}

/** The ports for CoreDNS: its own, the API server's, and the port of the server for other names. */
interface Ports {
  readonly dns: number;
  readonly api: number;
  readonly upstream: number;
}

/** CoreDNS with a cluster's settings, as a process. `await using` ends it. */
export class CoreDNS implements AsyncDisposable {
  readonly program: RunningProgram;
  readonly #folder = mkdtempSync(join(tmpdir(), 'davit-coredns-'));

  constructor(path: string, { dns, api, upstream }: Ports) {
    const file = join(this.#folder, 'Corefile');
    const zones = 'cluster.local in-addr.arpa ip6.arpa';
    writeFileSync(
      file,
      `.:${dns} {
  kubernetes ${zones} {
    endpoint http://127.0.0.1:${api}
    pods insecure
    fallthrough in-addr.arpa ip6.arpa
  }
  forward . 127.0.0.1:${upstream}
}
`,
    );
    this.program = new RunningProgram(path, ['-conf', file]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true });
  }
}
