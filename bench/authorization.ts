import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { systemClock } from '#adapters/clock.ts';
import { SqliteStore } from '#adapters/server/sqlite/store.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ClientCertificate } from '#lib/server/authentication/authenticator.ts';
import { authentication } from '#lib/server/authentication/chain.ts';
import { authorization } from '#lib/server/authorization/chain.ts';
import { AuthorizationMetrics } from '#lib/server/authorization/metrics.ts';
import { binding, role } from '#lib/server/authorization/rbac/a-policy.ts';
import { policySource, RBAC } from '#lib/server/authorization/rbac/policy-source.ts';
import { buildChain } from '#lib/server/endpoints/filters/chain.ts';
import { AccessMetrics } from '#lib/server/endpoints/metrics/access-metrics.ts';
import { RequestMetrics } from '#lib/server/endpoints/metrics/request-metrics.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { newRequestContext } from '#lib/server/request/request-context.ts';
import { ResourceCache } from '#lib/storage/cache/resource-cache.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { FRESH, storageLookup } from '#lib/storage/lookup.ts';
import { sequenceOf } from '#lib/storage/sequences.ts';
import { filling } from './filling.ts';

const NAMESPACES = 100;
const ROLES = 1_000;
const BINDINGS = 5_000;
const USERS = 500;
const REQUESTS = 200_000;
const RETENTION = 3_600_000;

/** Measures the costs of roles and bindings for a request and for a new process. The bars are 25 µs, 150 ms and 1 MB compressed. */
export async function measureAuthorization(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'davit-authorization-'));
  const open = () =>
    new SqliteStore({ path: join(directory, 'davit.db'), clock: systemClock, retention: RETENTION, sync: 'off' });
  try {
    await fill(open());
    for (let i = 0; i < 5; i++) await measureCold(open(), i === 0);
    await measureWarm(open());
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function fill(store: SqliteStore): Promise<void> {
  const { server, client } = filling(store);
  const create = (resource: string, namespace: string, name: string, content: JsonObject): Promise<JsonObject> =>
    client.create(
      { group: RBAC, version: 'v1', resource },
      { metadata: { name, ...(namespace === '' ? {} : { namespace }) }, ...content },
    );
  const namespaces = Array.from({ length: NAMESPACES }, (_, i) => `team-${i}`);
  for (const name of namespaces)
    await client.create({ group: '', version: 'v1', resource: 'namespaces' }, { metadata: { name } });
  await batched(ROLES, (i) => {
    const rules = role(
      'get,list,watch core pods,services,configmaps',
      `get,update apps deployments,replicasets app-${i}`,
      'create core events',
    );
    return i % 5 === 0
      ? create('clusterroles', '', `role-${i}`, rules)
      : create('roles', `team-${i % NAMESPACES}`, `role-${i}`, rules);
  });
  await batched(BINDINGS, (i) => {
    const [user, target] = [`User user-${i % USERS}`, i % ROLES];
    if (i % 10 === 0)
      return create(
        'clusterrolebindings',
        '',
        `binding-${i}`,
        binding(`ClusterRole role-${target - (target % 5)}`, user),
      );
    const kind = target % 5 === 0 ? 'ClusterRole' : 'Role';
    return create(
      'rolebindings',
      `team-${target % NAMESPACES}`,
      `binding-${i}`,
      binding(`${kind} role-${target}`, user, `Group devs-${i % 50}`),
    );
  });
  await store.sequence(sequenceOf(DEFAULT_CLUSTER, { group: RBAC, resource: 'roles' })).compact();
  await server.close();
  await store.close();
}

async function batched(count: number, one: (i: number) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < count; i += 50) await Promise.all(Array.from({ length: 50 }, (_, k) => one(i + k)));
}

function chainOver(store: SqliteStore) {
  const cache = new ResourceCache({
    sequence: store.sequence(sequenceOf(DEFAULT_CLUSTER, { group: RBAC, resource: 'roles' })),
    clock: systemClock,
    exclusive: true,
    summarize: summarizeBody,
  });
  const storageOf = () => cache;
  const policies = policySource(storageOf, DEFAULT_CLUSTER);
  return {
    cache,
    storageOf,
    policies,
    ...authorization({
      storageOf,
      cluster: DEFAULT_CLUSTER,
      clock: systemClock,
      policies,
      metrics: new AuthorizationMetrics(systemClock),
    }),
  };
}

const LISTS_PODS = {
  isResourceRequest: true,
  path: '',
  verb: 'list',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  name: '',
};

const question = (i: number) => ({
  user: { name: `user-${i % USERS}`, groups: [`devs-${i % 50}`, 'system:authenticated'] },
  path: `/api/v1/namespaces/team-${i % NAMESPACES}/pods`,
});

/** Measures the processor time until the first decision of a process that has compiled its code but has read no roles and bindings. */
async function measureCold(store: SqliteStore, first: boolean): Promise<void> {
  const { cache, policies, authorizer } = chainOver(store);
  const cost = await processorTime(() => authorizer(question(1).user, { ...LISTS_PODS, namespace: 'team-1' }));
  console.log(`cold: ${(cost / 1000).toFixed(0)} ms of processor time until the first decision (bar 150)`);
  if (first) {
    const bodies = (await policies(FRESH)).objects.map(({ body }) => body);
    const bytes = Buffer.concat(bodies);
    const size = (length: number): string => `${(length / 1e6).toFixed(2)} MB`;
    console.log(
      `${bodies.length} roles and bindings: ${size(bytes.length)}, ${size(gzipSync(bytes).length)} compressed (bar 1)`,
    );
  }
  cache.close();
  await store.close();
}

/** Processor time in microseconds. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function measureWarm(store: SqliteStore): Promise<void> {
  const { authorizer, storageOf, cache } = chainOver(store);
  const lookup = storageLookup({ storageOf, cluster: DEFAULT_CLUSTER });
  const ports = {
    clock: systemClock,
    authorizer,
    metrics: new RequestMetrics(),
    access: new AccessMetrics(),
    reportFault: () => {},
  };
  const done = { status: 200, headers: {}, body: '' };
  const chain = buildChain(async () => done, {
    ...ports,
    authenticator: authentication({ tokens: new Map() }, { clock: systemClock, lookup }),
  });
  const send = (i: number) => chain(newRequestContext(requestOf(i), { now: new Date() }));
  for (let i = 0; i < 20_000; i++) if ((await send(i)).status !== 200) throw new Error(`request ${i} is refused`);
  const all = await processorTime(async () => {
    for (let i = 0; i < REQUESTS; i++) await send(i);
  });
  const alone = await processorTime(async () => {
    for (let i = 0; i < REQUESTS; i++)
      await authorizer(question(i).user, { ...LISTS_PODS, namespace: `team-${i % NAMESPACES}` });
  });
  console.log(`warm: ${(all / REQUESTS).toFixed(1)} µs of processor time for all filters of a request (bar 25)`);
  console.log(`warm: ${(alone / REQUESTS).toFixed(1)} µs of it for authorization`);
  cache.close();
  await store.close();
}

const certificates = Array.from({ length: USERS }, (_, i): ClientCertificate => {
  const { name, groups } = question(i).user;
  return {
    commonName: name,
    organizations: groups,
    signedBy: ['client'],
    sha256: '',
    notAfter: Number.MAX_SAFE_INTEGER,
  };
});

function requestOf(i: number): ApiRequest {
  return {
    method: 'GET',
    path: question(i).path,
    query: new URLSearchParams(),
    headers: {},
    connection: { remoteAddress: '', clientCertificate: certificates[i % USERS] as ClientCertificate },
    body: async () => new Uint8Array(),
    signal: () => new AbortController().signal,
  };
}
