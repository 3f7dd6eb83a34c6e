import { type Counts, countingClient } from '#adapters/aws/dynamodb/counting-client.ts';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { LOOPBACK } from '#functions/apiserver/loopback.ts';
import { type Apiserver, buildApiserver } from '#functions/apiserver/wiring.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';

/** One instance of the API server on a table that others share, as a cloud starts it. Its calls are counted. */
export interface Instance {
  readonly counts: Counts;
  readonly server: Apiserver;
  readonly store: SequenceStore;
  reset(): void;
  /** The response's text. Throws if the status is an error. */
  request(method: string, path: string, body?: object): Promise<string>;
  ask(method: string, path: string, body?: object): Promise<Answer>;
  /** Resolves when the response starts. */
  open(method: string, path: string, body?: object): Promise<Begun>;
}

export interface Begun {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  /** Resolves when the response has ended. */
  text(): Promise<string>;
}

export interface Answer extends Omit<Begun, 'text'> {
  readonly text: string;
}

/** A user with roles only. An authorization check for this user reads `control`, as for other users. */
const DEVELOPER: User = { name: 'dev', groups: ['developers', 'system:authenticated'] };
const NEVER = new AbortController().signal;

/** `as` is the user. LOOPBACK may do everything without a check of roles. */
export function anInstance(table: Table, { clock, as = DEVELOPER }: { clock: Clock; as?: User }): Instance {
  const { table: counted, counts, reset } = countingClient(table);
  const store = dynamoStore(counted, { clock });
  const server = buildApiserver({
    store,
    clock,
    exclusive: false,
    cacheBytes: 256 * 1024 * 1024,
    serverAddress: '127.0.0.1:443',
    tokens: new Map([['known-to-tests', as]]),
    reportFault: (auditId, error) => console.error(auditId, error),
  });
  const open = async (method: string, target: string, body?: object): Promise<Begun> => {
    const [path = '', query = ''] = target.split('?');
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const {
      status,
      headers,
      body: answer,
    } = await server.handle({
      method,
      path,
      query: new URLSearchParams(query),
      headers: { authorization: 'Bearer known-to-tests', accept: 'application/json', 'content-type': type },
      body: async () => Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      signal: () => NEVER,
    });
    return { status, headers, text: () => textOf(answer) };
  };
  const ask = async (method: string, target: string, body?: object): Promise<Answer> => {
    const { text, ...head } = await open(method, target, body);
    return { ...head, text: await text() };
  };
  const request = async (method: string, target: string, body?: object): Promise<string> => {
    const { status, text } = await ask(method, target, body);
    if (status >= 300) throw new Error(`${method} ${target}: ${status} ${text}`);
    return text;
  };
  return { counts, server, store, reset, request, ask, open };
}

async function textOf(body: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** Grants the first permissions: developers may do everything. */
export async function grantAll(table: Table, clock: Clock): Promise<void> {
  const first = anInstance(table, { clock, as: LOOPBACK });
  const [apiGroup, path] = ['rbac.authorization.k8s.io', '/apis/rbac.authorization.k8s.io/v1'];
  const verbs = ['*'];
  const rules = [
    { apiGroups: ['*'], resources: ['*'], verbs },
    { nonResourceURLs: ['*'], verbs },
  ];
  await first.request('POST', `${path}/clusterroles`, { metadata: { name: 'all' }, rules });
  await first.request('POST', `${path}/clusterrolebindings`, {
    metadata: { name: 'all' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'all' },
    subjects: [{ apiGroup, kind: 'Group', name: 'developers' }],
  });
}

/** Folds every log into its state. */
export async function checkpointAll({ store }: Instance): Promise<void> {
  for (const name of await store.names()) await store.sequence(name).compact();
}
