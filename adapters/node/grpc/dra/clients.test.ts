import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DRAResourceHealthDefinition } from '#lib/node/kubelet-api/generated/dra-health-v1alpha1.ts';
import { DRAPluginDefinition } from '#lib/node/kubelet-api/generated/dra-v1.ts';
import { DRAPluginDefinition as DRAPluginV1Beta1 } from '#lib/node/kubelet-api/generated/dra-v1beta1.ts';
import { serveSocket, service } from '../server.ts';
import { SocketDRAClients } from './clients.ts';

let folder: string;
let clients: SocketDRAClients;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dra-'));
  clients = new SocketDRAClients();
});
afterEach(() => {
  clients[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

const device = { requestNames: ['r'], poolName: 'p', deviceName: 'd', cdiDeviceIds: ['v.com/c=d'] };
const claims = [{ namespace: 'n', uid: 'u', name: 'c' }];

test('calls a driver of v1 with the shares of its devices', async () => {
  const endpoint = join(folder, 'v1.sock');
  await using _driver = await serveSocket(endpoint, [
    service(DRAPluginDefinition, {
      nodePrepareResources: async ({ claims: [claim] }) => ({
        claims: { [claim?.uid ?? '']: { devices: [{ ...device, shareId: 's' }], error: '' } },
      }),
      nodeUnprepareResources: async () => ({ claims: {} }),
    }),
    service(DRAResourceHealthDefinition, {
      nodeWatchResources: async function* () {
        yield { devices: [] };
      },
    }),
  ]);
  const plugin = { driverName: 'drv', endpoint, chosenService: 'v1.DRAPlugin' };
  const answer = await clients.client(plugin).nodePrepareResources({ claims });
  expect(answer.claims['u']?.devices).toEqual([{ ...device, shareId: 's' }]);
  const told = [];
  for await (const response of clients.healthClient(plugin).nodeWatchResources({})) told.push(response);
  expect(told).toEqual([{ devices: [] }]);
  clients.release(endpoint);
});

test('calls the v1beta1 service of a driver that has only that', async () => {
  const endpoint = join(folder, 'beta.sock');
  await using _driver = await serveSocket(endpoint, [
    service(DRAPluginV1Beta1, {
      nodePrepareResources: async () => ({ claims: { u: { devices: [device], error: '' } } }),
      nodeUnprepareResources: async () => ({ claims: { u: { error: 'busy' } } }),
    }),
  ]);
  const client = clients.client({ driverName: 'drv', endpoint, chosenService: 'v1beta1.DRAPlugin' });
  expect((await client.nodePrepareResources({ claims })).claims['u']?.devices).toMatchObject([device]);
  expect((await client.nodeUnprepareResources({ claims })).claims['u']?.error).toBe('busy');
});
