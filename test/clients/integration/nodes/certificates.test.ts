import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import { nodeTokenSecret } from '#lib/controllers/bootstrap-token/node-token.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { NODE_TOKENS } from '#lib/server/authentication/node-bootstrap.ts';
import { SERVING_ROLE } from '#lib/server/authorization/rbac/bootstrap-policy/own-policy.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { eventually } from '#test/support/eventually.ts';
import { type AskedCertificate, JoiningKubelet } from './joining-kubelet.ts';

const BINDINGS = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' };
const REQUESTS = { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' };
const APPROVAL = 'system:certificates.k8s.io:certificatesigningrequests';
const SECRET = '0123456789abcdef';
const ENDS = Date.parse('2100-01-01T00:00:00Z');

let server: RunningApiserver;
let admin: Client;
const open: JoiningKubelet[] = [];

beforeAll(async () => {
  const groups = ['system:nodes'];
  const users = ['n1', 'n2', 'n3'].map((node) => [node, { name: `system:node:${node}`, groups }] as const);
  server = await startApiserver({ scheduler: false, tokens: new Map(users) });
  admin = kubelet(server.adminToken).client;
  await bind('kubelet-bootstrap', 'system:node-bootstrapper', NODE_TOKENS);
  await bind('node-autoapprove-bootstrap', `${APPROVAL}:nodeclient`, NODE_TOKENS);
  await bind('rotation', `${APPROVAL}:selfnodeclient`, 'system:nodes');
  await token(nodeTokenSecret({ node: 'n1', id: 'bound1', secret: SECRET, expires: ENDS }));
  await token(nodeTokenSecret({ node: 'n.with.dots', id: 'dotted', secret: SECRET, expires: ENDS }));
  const kubeadm = { 'auth-extra-groups': NODE_TOKENS };
  await token(changed(nodeTokenSecret({ node: '', id: 'anynod', secret: SECRET, expires: ENDS }), kubeadm));
  for (const [name, ...addresses] of [
    ['n1', '10.0.0.1', 'n1.example.com', '127.0.0.1', '10.0.0.9'],
    ['n2', '10.0.0.2', '10.0.0.9'],
  ] as const)
    await admin.create(core('nodes'), {
      metadata: { name },
      status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
    });
});
afterAll(async () => {
  for (const one of open) one[Symbol.dispose]();
  await server.close();
});

/** A kubelet that authenticates with a bearer token. */
function kubelet(bearer: string): JoiningKubelet {
  const credentials = { token: async () => bearer };
  const made = new JoiningKubelet({ url: server.url, caBundle: server.certificateAuthority, credentials });
  open.push(made);
  return made;
}

const changed = (secret: JsonObject, more: JsonObject): JsonObject => ({
  ...secret,
  stringData: { ...at(secret, 'stringData'), ...more },
});

const token = async (secret: JsonObject): Promise<void> => void (await admin.create(core('secrets'), secret));

async function bind(name: string, role: string, group: string): Promise<void> {
  await admin.create(BINDINGS, {
    metadata: { name },
    roleRef: { apiGroup: BINDINGS.group, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: BINDINGS.group, kind: 'Group', name: group }],
  });
}

/** Returns the names in the certificate that a user receives. */
async function got(bearer: string, asked: AskedCertificate): Promise<string> {
  const asking = kubelet(bearer);
  const { certificate } = await asking.certificate(await asking.ask(asked));
  const { subject, subjectAltName = '' } = new X509Certificate(certificate);
  return [...subject.split('\n').toSorted(), ...subjectAltName.split(', ').toSorted()].filter(Boolean).join(' ');
}

const bound = (node: string): string =>
  `Denied TokenBoundToNode: The credential is bound to node ${node}: it gets no certificate but that node's client certificate.`;

describe('a token that is bound to a node', () => {
  test.each([
    ['bound1', 'n1'],
    ['dotted', 'n.with.dots'],
  ])('%s gets the client certificate of %s', async (id, node) => {
    expect(await got(`${id}.${SECRET}`, { node })).toBe(`CN=system:node:${node} O=system:nodes`);
  });

  test.each<[string, string, AskedCertificate, string]>([
    ['another node', 'bound1', { node: 'n2' }, 'n1'],
    ['a name that begins alike', 'bound1', { node: 'n11' }, 'n1'],
    ['its name as the group has it', 'dotted', { node: 'n:with:dots' }, 'n.with.dots'],
    ['a serving certificate', 'bound1', { node: 'n1', names: ['n1.example.com'] }, 'n1'],
    ['usages of no client', 'bound1', { node: 'n1', usages: ['digital signature', 'server auth'] }, 'n1'],
  ])('is denied %s', async (_, id, asked, node) => {
    await expect(got(`${id}.${SECRET}`, asked)).rejects.toThrow(bound(node));
  });
});

test("a token that is bound to no node gets what its group's permission allows, as upstream", async () => {
  for (const node of ['n1', 'n7']) expect(await got(`anynod.${SECRET}`, { node })).toContain(`CN=system:node:${node}`);
});

test('a node renews its own client certificate and gets no other’s', async () => {
  expect(await got('n1', { node: 'n1' })).toBe('CN=system:node:n1 O=system:nodes');
  await expect(got('n1', { node: 'n2' })).rejects.toThrow('can only create a node CSR with CN=system:node:n1');
});

describe('serving certificates of nodes', () => {
  /** The events of a request, once there are any. */
  async function told(name: string): Promise<string> {
    const events = async (): Promise<JsonObject[]> =>
      (await admin.list(core('events'))).filter((event) => text(at(event, 'involvedObject'), 'name') === name);
    await eventually(async () => expect((await events()).length).toBeGreaterThan(0));
    return (await events()).map((event) => `${text(event, 'reason')}: ${text(event, 'message')}`).join('\n');
  }

  test('are not approved until nodes may create certificatesigningrequests/selfnodeserver', async () => {
    const asking = kubelet('n1');
    const early = await asking.ask({ node: 'n1', names: ['10.0.0.1'] });
    await asking.certificate(await asking.ask({ node: 'n1' })); // by then the earlier one has also been reconciled
    const request = await admin.get(refOf(REQUESTS, '', early.name));
    expect(items(at(request, 'status'), 'conditions')).toEqual([]);
    await bind('serving', SERVING_ROLE, 'system:nodes');
  });

  test('are approved for a node’s own names', async () => {
    const names = ['n1.example.com', '10.0.0.1'];
    expect(await got('n1', { node: 'n1', names })).toBe(
      'CN=system:node:n1 O=system:nodes DNS:n1.example.com IP Address:10.0.0.1',
    );
  });

  test.each([
    ['of another node', ['10.0.0.1', '10.0.0.2'], '10.0.0.2 is no address in the status of node n1'],
    ['that another node has, too', ['10.0.0.9'], '10.0.0.9 is an address of node n2, too'],
    ['of every machine', ['127.0.0.1'], '127.0.0.1 may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    [
      'of the API server',
      ['kubernetes.default.svc'],
      'kubernetes.default.svc is a name of Services or of every machine',
    ],
  ])('%s are not approved, and an event reports why', async (_, names, message) => {
    const { name } = await kubelet('n1').ask({ node: 'n1', names });
    expect(await told(name)).toBe(`NotApproved: ${message}`);
    const request = await admin.get(refOf(REQUESTS, '', name));
    expect(items(at(request, 'status'), 'conditions')).toEqual([]);
  });

  test('stay pending if the node does not exist', async () => {
    const { name } = await kubelet('n3').ask({ node: 'n3', names: ['10.0.0.3'] });
    expect(await told(name)).toBe('NotApproved: there is no node n3');
  });

  test('are approved for their own node only', async () => {
    await expect(kubelet('n1').ask({ node: 'n2', names: ['10.0.0.2'] })).rejects.toThrow(
      'can only create a node CSR with CN=system:node:n1',
    );
  });
});
