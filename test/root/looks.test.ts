import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { TestNode } from './test-node.ts';

let node: TestNode;
beforeAll(async () => {
  node = await TestNode.start('--look-frequency=1s', '--sync-frequency=5s');
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await node.kubectl(...args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}\n${node.log.slice(-3000)}`);
  return stdout;
}

/** The open watches of the server, by resource. */
async function watches(): Promise<string[]> {
  const lines = (await kubectl('get', '--raw', '/metrics')).split('\n');
  return lines.filter(
    (line) =>
      line.startsWith('apiserver_longrunning_requests{') && line.includes('verb="WATCH"') && !line.endsWith(' 0'),
  );
}

const DNS = '10.96.0.10';

/** The address that the node's DNS returns for a name; '' for none. */
async function lookup(name: string): Promise<string> {
  const resolver = new Resolver({ timeout: 1000, tries: 1 });
  resolver.setServers([DNS]);
  return resolver.resolve4(name).then(
    ([first = '']) => first,
    () => '',
  );
}

test('a polling agent runs and ends pods, and sees new Secrets, without a watch', async () => {
  await kubectl('create', 'secret', 'generic', 'words', '--from-literal=word=first');
  const spec = {
    containers: [shell(FOREVER, { volumeMounts: [{ name: 'words', mountPath: '/words' }] })],
    volumes: [{ name: 'words', secret: { secretName: 'words' } }],
  };
  await node.apply(aPod('reader', FOREVER, spec));
  await kubectl('wait', '--for=condition=Ready', '--timeout=60s', 'pod/reader');
  const word = (): Promise<string> => kubectl('exec', 'reader', '--', 'cat', '/words/word');
  expect(await word()).toBe('first');
  await kubectl('patch', 'secret', 'words', '-p', '{"stringData":{"word":"second"}}');
  await eventually(async () => expect(await word()).toBe('second'));
  expect(await watches()).toEqual([]);
  await kubectl('delete', 'pod', 'reader', '--grace-period=1', '--wait', '--timeout=60s');
});

/** The samples of a metric of the agent, by the label `resource`. */
async function metric(name: string): Promise<Record<string, number>> {
  const text = await kubectl('get', '--raw', '/api/v1/nodes/n1/proxy/metrics');
  const found = text.matchAll(new RegExp(`^${name}\\{resource="(\\w+)"\\} (\\d+)$`, 'gm'));
  return Object.fromEntries(Array.from(found, ([, resource, value]) => [resource, Number(value)]));
}

test('a notification starts and ends a pod immediately although polls are ten minutes apart', async () => {
  await node.restartAgent('SIGTERM', '--look-frequency=10m');
  await node.isReady();
  await kubectl('create', 'secret', 'generic', 'late', '--from-literal=word=first');
  for (const name of ['first', 'second']) {
    const began = performance.now();
    await node.apply(
      aPod(name, FOREVER, { containers: [shell(FOREVER, { envFrom: [{ secretRef: { name: 'late' } }] })] }),
    );
    await kubectl('wait', '--for=condition=Ready', '--timeout=60s', `pod/${name}`);
    const ready = performance.now();
    await kubectl('delete', 'pod', name, '--grace-period=1', '--wait', '--timeout=60s');
    const times = [ready - began, performance.now() - ready].map((time) => (time / 1000).toFixed(1));
    console.log(`pod ${name}: ready after ${times[0]} s, gone after ${times[1]} s more`);
  }
  expect(await watches()).toEqual([]);
  expect((await metric('davit_node_agent_rings_total'))['pods']).toBeGreaterThan(3);
  expect(await metric('davit_node_agent_lost_rings_total')).toEqual({});
});

test('DNS resolves new Services and endpoints after notifications, without a watch', async () => {
  await node.apply(
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'dns' },
      rules: [
        { apiGroups: [''], resources: ['namespaces', 'services'], verbs: ['list', 'watch'] },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'dns' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'dns' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' }],
    },
  );
  const dns = ['--serve-dns', `--cluster-dns=${DNS}`, '--cluster-domain=cluster.local', '--resolv-conf='];
  await node.restartAgent('SIGTERM', '--look-frequency=10m', ...dns);
  await node.isReady();
  const isFound = (name: string, address: string) =>
    eventually(async () => expect(await lookup(`${name}.svc.cluster.local`)).toBe(address));
  await isFound('kubernetes.default', '10.96.0.1');
  await kubectl('create', 'namespace', 'new');
  const slice = (address: string) => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'members-1', namespace: 'new', labels: { 'kubernetes.io/service-name': 'members' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [address] }],
    ports: [{ name: 'http', port: 80 }],
  });
  const ports = [{ name: 'http', port: 80 }];
  await node.apply(
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'new' },
      spec: { clusterIP: '10.96.0.70', ports },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'members', namespace: 'new' },
      spec: { clusterIP: 'None', ports },
    },
    slice('10.9.0.1'),
  );
  const began = performance.now();
  await isFound('web.new', '10.96.0.70');
  await isFound('members.new', '10.9.0.1');
  console.log(`DNS tells a new Service after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await node.apply(slice('10.9.0.2'));
  await isFound('members.new', '10.9.0.2');
  await kubectl('delete', 'service', 'web', '-n', 'new');
  await isFound('web.new', '');
  expect(await watches()).toEqual([]);
  expect((await metric('davit_node_agent_rings_total'))['endpointslices']).toBeGreaterThan(0);
});
