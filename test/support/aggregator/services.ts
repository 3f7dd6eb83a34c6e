import type { JsonObject } from '#lib/machinery/json-value.ts';
import { eventually } from '#test/support/eventually.ts';
import type { Requester } from '#test/support/requester.ts';

/** The ports and authorities that the tests' APIServices refer to. */
export interface Registered {
  readonly port: number;
  /** A loopback port without a listener. */
  readonly closedPort: number;
  /** The certificate of the backend's authority, and one of another authority. PEM. */
  readonly authority: string;
  readonly otherAuthority: string;
}

const REGISTRATION = '/apis/apiregistration.k8s.io/v1/apiservices';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The condition `Available` of an APIService. */
export interface Condition {
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** APIServices by group, each with its differences from a working one. */
const specs = ({ port, closedPort, authority, otherAuthority }: Registered): Record<string, JsonObject> => {
  const service = (name: string, at = port): JsonObject => ({ namespace: 'default', name, port: at });
  const working = { service: service('api'), caBundle: base64(authority) };
  return {
    things: working,
    insecure: { service: service('api'), insecureSkipTLSVerify: true },
    'other-authority': { ...working, caBundle: base64(otherAuthority) },
    refused: { ...working, service: service('api', closedPort) },
    'no-service': { ...working, service: service('nobody') },
    'wrong-port': { ...working, service: service('no-endpoints', 444) },
    'no-slices': { ...working, service: service('no-slices', 443) },
    'no-endpoints': { ...working, service: service('no-endpoints', 443) },
    'not-ready': { ...working, service: service('not-ready', 443) },
    lies: working,
    local: {},
    ...Object.fromEntries([401, 404, 500, 302, 304].map((status) => [`status-${status}`, working])),
  };
};

const slice = (service: string, endpoints: JsonObject[]): JsonObject => ({
  metadata: { name: service, labels: { 'kubernetes.io/service-name': service } },
  addressType: 'IPv4',
  ports: [{ name: 'https', port: 443, protocol: 'TCP' }],
  endpoints,
});

/** Group versions of the working backend, each with the priorities of its group and its version. */
const ORDERED: readonly (readonly [group: string, version: string, groupPriority: number, versionPriority: number])[] =
  [
    ['high', 'v1', 20_000, 15],
    ['high', 'v1alpha1', 1, 15],
    ['high', 'v1alpha2', 17_300, 15],
    ['low', 'v1alpha1', 1, 15],
    ['by-priority', 'v1', 1000, 2],
    ['by-priority', 'v1alpha1', 1000, 1],
    ['by-priority', 'v1alpha2', 1000, 3],
    ['by-version', 'v1', 1000, 15],
    ['by-version', 'v1alpha1', 1000, 15],
    ['by-version', 'v1alpha2', 1000, 15],
    ['by-version', 'v1beta1', 1000, 15],
    ['by-version', 'v2', 1000, 15],
    ['by-version', 'foo10', 1000, 15],
    ['by-version', 'v10beta3', 1000, 15],
    ['equal-b', 'v1', 900, 10],
    ['equal-a', 'v1', 900, 20],
  ];

/** Creates the Services, permissions and APIServices for the tests. Throws if one is rejected. */
export async function register(send: Requester, registered: Registered): Promise<void> {
  const make = async (path: string, object: JsonObject): Promise<void> => {
    const { status, body } = await send('POST', path, object);
    if (status !== 201) throw new Error(`${path}: ${String(body['message'])}`);
  };
  const services = '/api/v1/namespaces/default/services';
  const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
  await make(services, { metadata: { name: 'api' }, spec: { type: 'ExternalName', externalName: 'localhost' } });
  for (const name of ['no-slices', 'no-endpoints', 'not-ready'])
    await make(services, { metadata: { name }, spec: { ports: [{ name: 'https', port: 443 }] } });
  await make(slices, slice('no-endpoints', []));
  await make(slices, slice('not-ready', [{ addresses: ['192.0.2.9'], conditions: { ready: false } }]));
  await make('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'users-of-things' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [
      'jane',
      'system:serviceaccount:default:robot',
      'system:serviceaccount:default:default',
      'system:anonymous',
    ].map((name) => ({
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'User',
      name,
    })),
  });
  for (const [name, spec] of Object.entries(specs(registered)))
    await make(REGISTRATION, apiService([name, 'v1', 1000, 15], spec));
  const { things = {} } = specs(registered);
  for (const ordered of ORDERED) await make(REGISTRATION, apiService(ordered, things));
}

function apiService([name, version, group, ofVersion]: (typeof ORDERED)[number], spec: JsonObject): JsonObject {
  const priorities = { groupPriorityMinimum: group, versionPriority: ofVersion };
  return {
    metadata: { name: `${version}.${name}.example.com` },
    spec: { group: `${name}.example.com`, version, ...priorities, ...spec },
  };
}

/** The conditions of all APIServices of the tests by group, once each has one. */
export async function conditions(send: Requester): Promise<Record<string, Condition>> {
  let found: Record<string, Condition> = {};
  const names = Object.keys(specs({ port: 1, closedPort: 1, authority: '', otherAuthority: '' }));
  const all = async (): Promise<boolean> => {
    const read = await Promise.all(names.map(async (name) => [name, await conditionOf(send, name)] as const));
    found = Object.fromEntries(read);
    return read.every(([, { status }]) => status !== undefined) && found['things']?.status === 'True';
  };
  await eventually(all, () => `conditions: ${JSON.stringify(found)}`);
  return found;
}

async function conditionOf(send: Requester, name: string): Promise<Condition> {
  const { body } = await send('GET', `${REGISTRATION}/v1.${name}.example.com`);
  const { conditions: all = [] } = (body['status'] ?? {}) as { conditions?: (Condition & { type: string })[] };
  const { status, reason, message } = all.find(({ type }) => type === 'Available') ?? {};
  return status === undefined ? {} : { status, reason: String(reason), message: String(message) };
}
