import { expect, test } from 'vitest';
import { typedObject } from '#lib/api/typed.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import type { Reader } from './connect.ts';
import { nodeConnection } from './node-connection.ts';

const roundTripper = { send: () => Promise.reject(new Error('nothing is sent')) };
const backends = (...preferredAddressTypes: string[]): Backends => ({ roundTripper, preferredAddressTypes });

const aNode = (status: JsonObject, labels: JsonObject = {}): JsonObject => ({
  metadata: { name: 'n', labels },
  status: {
    addresses: [
      { type: 'Hostname', address: 'host' },
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'InternalIP', address: 'fd00::1' },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
    nodeInfo: { kubeletVersion: 'v1.36.2' },
    ...status,
  },
});

const PURPOSE = { verb: 'proxy', podUID: '', container: '', user: 'jane' } as const;

/** A reader that returns the node for any lookup. */
const finds =
  (node: JsonObject): Reader =>
  async (resource) =>
    typedObject(resource, node);

test.each<[string[], JsonObject, string]>([
  [['Hostname', 'InternalIP'], {}, 'host:10250'],
  [['InternalIP', 'Hostname'], {}, '10.0.0.1:10250'],
  [['ExternalIP', 'InternalIP'], { daemonEndpoints: { kubeletEndpoint: { Port: 1234 } } }, '10.0.0.1:1234'],
  [['InternalIP'], { addresses: [{ type: 'InternalIP', address: 'fd00::1' }] }, '[fd00::1]:10250'],
])('resolves the preference %j for %j to the kubelet at %s', async (types, status, place) => {
  const { target, tls } = await nodeConnection(finds(aNode(status)), 'n', backends(...types), PURPOSE);
  expect([joinHostPort(target.host, target.port), tls]).toEqual([place, 'kubelet']);
});

test('reports that it has no route to a node, or that the node is simulated', async () => {
  await expect(nodeConnection(finds(aNode({})), 'n', undefined, PURPOSE)).rejects.toThrow(
    'no connection to node "n": this server has no route to nodes',
  );
  const simulated = finds(aNode({}, { 'davit.dev/simulated': 'true' }));
  await expect(nodeConnection(simulated, 'n', backends('Hostname'), PURPOSE)).rejects.toThrow(
    'no connection to node "n": it is simulated, and no container runs on it',
  );
});

test('does not reach a node without an address of a preferred type', async () => {
  await expect(nodeConnection(finds(aNode({})), 'n', backends('ExternalIP'), PURPOSE)).rejects.toThrow(
    'no preferred addresses found; known addresses: [{Hostname host} {InternalIP 10.0.0.1} {InternalIP fd00::1}]',
  );
});

test('does not dial a node whose agent has no channel, because it has no port', async () => {
  const node = aNode({ nodeInfo: { kubeletVersion: 'v1.36.2+davit.0.1.0' } });
  await expect(nodeConnection(finds(node), 'n', backends('Hostname'), PURPOSE)).rejects.toThrow(
    'no connection to node "n": its agent has no channel to this server',
  );
});
