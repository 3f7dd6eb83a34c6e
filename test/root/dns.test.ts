import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode } from 'dns-packet';
import { afterAll, beforeAll, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod } from './builders.ts';
import { HOST } from './setup.ts';
import { TestNode } from './test-node.ts';

const DNS = '10.96.0.10';
/** A DNS server of the host, which answers every address query with this address. */
const OUTSIDE = '192.0.2.53';
const outside = createSocket('udp4');
let node: TestNode;

beforeAll(async () => {
  outside.on('message', (asked, { port, address }) => {
    const { id = 0, questions = [] } = decode(asked);
    const [{ name, type } = { name: '', type: 'A' }] = questions;
    const answers = type === 'A' ? [{ type: 'A' as const, name, ttl: 5, data: OUTSIDE }] : [];
    outside.send(encode({ type: 'response', id, flags: 0x0180, questions, answers }), port, address);
  });
  outside.bind(53, HOST);
  await once(outside, 'listening');
  const resolvConf = join(import.meta.dirname, '../../build/resolv.conf');
  writeFileSync(resolvConf, `nameserver ${DNS}\nnameserver ${HOST}\n`);
  node = await TestNode.start(
    '--serve-dns',
    `--cluster-dns=${DNS}`,
    '--cluster-domain=cluster.local',
    `--resolv-conf=${resolvConf}`,
  );
  const rule = (apiGroup: string, ...resources: string[]) => ({
    apiGroups: [apiGroup],
    resources,
    verbs: ['list', 'watch'],
  });
  await node.apply(
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'dns' },
      rules: [rule('', 'namespaces', 'services'), rule('discovery.k8s.io', 'endpointslices')],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'dns' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'dns' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' }],
    },
    aPod('asks'),
    aPod('member', undefined, { hostname: 'one', subdomain: 'members' }),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'members' },
      spec: { clusterIP: 'None', selector: { app: 'member' } },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'plain' },
      spec: { clusterIP: '10.96.0.77', ports: [{ name: 'http', port: 80 }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'elsewhere' },
      spec: { type: 'ExternalName', externalName: 'db.example.com' },
    },
  );
  await node.output('wait', '--for=condition=Ready', 'pod/asks', 'pod/member', '--timeout=60s');
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  outside.close();
});

/** The addresses and names in the output of nslookup in the pod. */
async function ask(name: string, type = 'a'): Promise<string> {
  const { stdout } = await node.kubectl('exec', 'asks', '--', 'nslookup', `-type=${type}`, name);
  return stdout.slice(stdout.indexOf('\n\n'));
}

/** Expects that the lookup of a name soon contains this. */
const answers = (name: string, expected: string, type?: string): Promise<void> => {
  let last = '';
  return eventually(
    async () => (last = await ask(name, type)).includes(expected),
    () => `${name} is ${expected}: ${last}\n${node.log.slice(-2000)}`,
  );
};

test('a pod finds Services, members of headless ones and addresses by name', async () => {
  const address = await node.output('get', 'pod', 'member', '-o', 'jsonpath={.status.podIP}');
  await answers('plain.default.svc.cluster.local', '10.96.0.77');
  await answers('kubernetes.default.svc.cluster.local', '10.96.0.1');
  await answers('members.default.svc.cluster.local', address);
  await answers('one.members.default.svc.cluster.local', address);
  await answers('_http._tcp.plain.default.svc.cluster.local', 'plain.default.svc.cluster.local', 'srv');
  await answers('77.0.96.10.in-addr.arpa', 'plain.default.svc.cluster.local', 'ptr');
});

test('a pod finds a Service by its short name, through the search path', async () => {
  await answers('plain', '10.96.0.77');
});

test('resolves other names by the servers of the host, and aliases with their addresses', async () => {
  await answers('example.com', OUTSIDE);
  await answers('elsewhere.default.svc.cluster.local', OUTSIDE);
});

test('does not resolve an endpoint that is no longer ready, or a deleted Service', async () => {
  await node.output('delete', 'pod', 'member', '--timeout=60s');
  await answers('one.members.default.svc.cluster.local', 'NXDOMAIN');
  await node.output('delete', 'service', 'plain');
  await answers('plain.default.svc.cluster.local', 'NXDOMAIN');
});

test('resolves names again after a restart of the agent', async () => {
  await node.restartAgent('SIGKILL');
  await answers('kubernetes.default.svc.cluster.local', '10.96.0.1');
});
