import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Requester, requester } from '#test/support/requester.ts';

const HERE = '/api/v1/namespaces/here';
let server: RunningApiserver;
let request: Requester;
const dialled: string[] = [];

beforeAll(async () => {
  const dialer = {
    dial: async ({ host, port }: { readonly host: string; readonly port: number }) => {
      dialled.push(`${host}:${port}`);
      throw new TransportError('dialled');
    },
  };
  server = await startApiserver({ controllers: false, kubelet: { dialer } });
  request = requester(server);
  for (const namespace of ['here', 'there']) {
    await made('/api/v1/namespaces', { metadata: { name: namespace } });
    await made(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  }
  await aPod('here', 'web', ['10.0.0.1', 'fd00::1']);
  await aPod('here', 'other', ['10.0.0.2']);
  await aPod('there', 'far', ['10.0.0.3']);
});
afterAll(() => server.close());

async function made(path: string, object: JsonObject): Promise<void> {
  const { status, body } = await request('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
}

async function aPod(namespace: string, name: string, ips: readonly string[]): Promise<void> {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await made(pods, { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  const podIPs = ips.map((ip) => ({ ip }));
  const { status } = await request('PATCH', `${pods}/${name}/status`, { status: { podIP: ips[0] ?? '', podIPs } });
  expect(status).toBe(200);
}

const of = (ip: string, name: string, namespace = 'here'): JsonObject => ({
  ip,
  targetRef: { kind: 'Pod', namespace, name },
});
const PORTS = [
  { name: 'http', port: 8080 },
  { name: 'tls', port: 8443 },
];

let count = 0;
/** Creates a Service with these endpoints. Returns its name. */
async function aService(subsets: readonly JsonObject[]): Promise<string> {
  const name = `s${count++}`;
  const ports = [
    { name: 'http', port: 80 },
    { name: 'tls', port: 443 },
  ];
  await made(`${HERE}/services`, { metadata: { name }, spec: { ports } });
  await made(`${HERE}/endpoints`, { metadata: { name }, subsets: [...subsets] });
  return name;
}

/** Returns the address that a request through the Service dials, or its error. */
async function asked(id: string): Promise<string> {
  dialled.length = 0;
  const { status, body } = await request('GET', `${HERE}/services/${id}/proxy/`);
  return dialled[0] ?? `${status} ${String(body['message'])}`;
}

test.each<[string, JsonObject[], string]>([
  ['that of a pod', [of('10.0.0.1', 'web')], '10.0.0.1:8080'],
  ['the second one of a pod', [of('fd00::1', 'web')], 'fd00::1:8080'],
  ['the first one of a pod', [{ ip: '10.0.0.9' }, of('10.0.0.2', 'web'), of('10.0.0.2', 'other')], '10.0.0.2:8080'],
])('dials an address that is %s', async (_, addresses, place) => {
  expect(await asked(`${await aService([{ addresses, ports: PORTS }])}:http`)).toBe(place);
});

test.each<[string, JsonObject]>([
  ['not that of a pod', { ip: '10.0.0.9' }],
  ['that of a missing pod', of('10.0.0.1', 'none')],
  ['attributed to a pod with a different address', of('10.0.0.9', 'web')],
  ['that of another pod', of('10.0.0.2', 'web')],
  ['that of a pod in another namespace', of('10.0.0.3', 'far', 'there')],
  ['attributed to a pod of another namespace whose name also exists here', of('10.0.0.1', 'web', 'there')],
])('does not dial an address that is %s', async (_, address) => {
  const name = await aService([{ addresses: [address], ports: PORTS }]);
  expect(await asked(`${name}:http`)).toBe(`503 no endpoints available for service "${name}:http"`);
});

test('does not dial an address that is not ready', async () => {
  const name = await aService([{ notReadyAddresses: [of('10.0.0.1', 'web')], ports: PORTS }]);
  expect(await asked(`${name}:http`)).toBe(`503 no endpoints available for service "${name}:http"`);
});

test.each([
  [':http', '10.0.0.1:8080'],
  [':80', '10.0.0.1:8080'],
  [':443', '10.0.0.1:8443'],
  [':tls', '10.0.0.1:8443'],
])('maps the port %s of the Service to %s, also over TLS', async (port, place) => {
  const name = await aService([{ addresses: [of('10.0.0.1', 'web')], ports: PORTS }]);
  expect(await asked(`${name}${port}`)).toBe(place);
  expect(await asked(`https:${name}${port}`)).toBe(place);
});

test('uses the unnamed port for a request without a port', async () => {
  const name = await aService([{ addresses: [of('10.0.0.1', 'web')], ports: [{ port: 8080 }] }]);
  expect(await asked(name)).toBe('10.0.0.1:8080');
  expect(await asked(`https:${name}:`)).toBe('10.0.0.1:8080');
});

test('finds a port in another subset', async () => {
  const subsets = [
    { addresses: [of('10.0.0.1', 'web')], ports: [{ name: 'tls', port: 8443 }] },
    { addresses: [of('10.0.0.2', 'other')], ports: [{ name: 'http', port: 8080 }] },
  ];
  expect(await asked(`${await aService(subsets)}:http`)).toBe('10.0.0.2:8080');
});

test.each([
  ['no port of that name', ':none', '503 no endpoints available for service "NAME:none"'],
  ['no port of that number', ':81', '503 no service port 81 found for service "NAME"'],
  ["the target port instead of the Service's port", ':8080', '503 no service port 8080 found for service "NAME"'],
])('rejects a request for %s', async (_, port, message) => {
  const name = await aService([{ addresses: [of('10.0.0.1', 'web')], ports: PORTS }]);
  expect(await asked(`${name}${port}`)).toBe(message.replace('NAME', name));
});

test('rejects a Service without endpoints', async () => {
  const name = await aService([]);
  expect(await asked(`${name}:http`)).toBe(`503 no endpoints available for service "${name}"`);
});
