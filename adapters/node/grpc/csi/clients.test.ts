import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RpcError, type ServiceHandlers } from '#lib/machinery/rpc.ts';
import { NodeDefinition, type NodePublishVolumeRequest } from '#lib/node/csi/generated/csi-v1.ts';
import { serveSocket, service } from '../server.ts';
import { SocketCSIClients } from './clients.ts';

let folder: string;
let clients: SocketCSIClients;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'csi-'));
  clients = new SocketCSIClients();
});
afterEach(() => {
  clients[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

const none = async (): Promise<never> => {
  throw new RpcError('Unimplemented', 'not here');
};
const driver = (handlers: Partial<ServiceHandlers<NodeDefinition>>): ServiceHandlers<NodeDefinition> => ({
  nodeStageVolume: none,
  nodeUnstageVolume: none,
  nodePublishVolume: none,
  nodeUnpublishVolume: none,
  nodeGetVolumeStats: none,
  nodeExpandVolume: none,
  nodeGetCapabilities: none,
  nodeGetInfo: none,
  ...handlers,
});

test("calls a driver's node service", async () => {
  const endpoint = join(folder, 'csi.sock');
  const published: NodePublishVolumeRequest[] = [];
  await using _driver = await serveSocket(endpoint, [
    service(
      NodeDefinition,
      driver({
        nodeGetInfo: async () => ({
          nodeId: 'n1',
          maxVolumesPerNode: 3,
          accessibleTopology: { segments: { 'topology.d/zone': 'a' } },
        }),
        nodePublishVolume: async (request) => {
          published.push(request);
          return {};
        },
      }),
    ),
  ]);
  const client = clients.nodeClient(endpoint);
  expect(await client.nodeGetInfo({})).toMatchObject({
    nodeId: 'n1',
    maxVolumesPerNode: 3,
    accessibleTopology: { segments: { 'topology.d/zone': 'a' } },
  });
  await client.nodePublishVolume({ volumeId: 'v', targetPath: '/t', secrets: { password: 'p' } });
  expect(published).toMatchObject([{ volumeId: 'v', targetPath: '/t', secrets: { password: 'p' }, volumeContext: {} }]);
  await expect(client.nodeExpandVolume({ volumeId: 'v' })).rejects.toMatchObject({ code: 'Unimplemented' });
});

test('reconnects to a driver that was released', async () => {
  const endpoint = join(folder, 'csi.sock');
  const serve = (nodeId: string) =>
    serveSocket(endpoint, [service(NodeDefinition, driver({ nodeGetInfo: async () => ({ nodeId }) }))]);
  const before = await serve('old');
  expect((await clients.nodeClient(endpoint).nodeGetInfo({})).nodeId).toBe('old');
  await before.close();
  clients.release(endpoint);
  await using _after = await serve('new');
  expect((await clients.nodeClient(endpoint).nodeGetInfo({})).nodeId).toBe('new');
});
