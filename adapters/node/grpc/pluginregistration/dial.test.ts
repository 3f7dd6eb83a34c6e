import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { DRAPlugins } from '#lib/node/kubelet/cm/dra/plugin/dra-plugins.ts';
import type { PluginSocket } from '#lib/node/kubelet/pluginmanager/plugin-directory.ts';
import { PluginManager } from '#lib/node/kubelet/pluginmanager/plugin-manager.ts';
import { refusingHandler } from '#lib/node/kubelet/pluginmanager/refusing-handler.ts';
import {
  RegistrationDefinition,
  type RegistrationStatus,
} from '#lib/node/kubelet-api/generated/pluginregistration-v1.ts';
import { eventually } from '#test/support/eventually.ts';
import { type SocketServer, serveSocket, service } from '../server.ts';
import { dialRegistration } from './dial.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'registry-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A plugin that records the registration results that it receives. */
function aPlugin(path: string, type: string, told: RegistrationStatus[]): Promise<SocketServer> {
  return serveSocket(path, [
    service(RegistrationDefinition, {
      getInfo: async () => ({
        type,
        name: 'gpu.example.com',
        endpoint: '/run/gpu.sock',
        supportedVersions: ['v1.DRAPlugin'],
      }),
      async notifyRegistrationStatus(status) {
        told.push(status);
        return {};
      },
    }),
  ]);
}

test('notifies plugins over their sockets whether they are registered', async () => {
  const [sockets, faults, accepted, refused] = [
    new Array<PluginSocket>(),
    new Array<string>(),
    new Array<RegistrationStatus>(),
    new Array<RegistrationStatus>(),
  ];
  const manager = new PluginManager({
    directory: { sockets: async () => sockets, watch: () => undefined },
    dial: dialRegistration,
    clock: systemClock,
    onFault: (error) => void faults.push(messageOfError(error)),
  });
  const drivers = new DRAPlugins(() => undefined);
  manager.addHandler('DRAPlugin', drivers);
  manager.addHandler('CSIPlugin', refusingHandler('CSIPlugin'));
  await using _dra = await aPlugin(join(folder, 'dra.sock'), 'DRAPlugin', accepted);
  await using _csi = await aPlugin(join(folder, 'csi.sock'), 'CSIPlugin', refused);
  sockets.push({ path: join(folder, 'dra.sock'), identity: '1' }, { path: join(folder, 'csi.sock'), identity: '1' });
  await manager.reconcile();
  await eventually(() => accepted.length === 1 && refused.length === 1 && faults.length === 1);
  expect(accepted).toEqual([{ pluginRegistered: true, error: '' }]);
  expect(drivers.get('gpu.example.com')?.endpoint).toBe('/run/gpu.sock');
  expect(refused).toEqual([
    {
      pluginRegistered: false,
      error:
        'RegisterPlugin error -- plugin validation failed with err: this node agent runs no plugins of type CSIPlugin yet, gpu.example.com among them',
    },
  ]);
});

test('times out for a socket without a server', async () => {
  await expect(dialRegistration(join(folder, 'none.sock'), 50)).rejects.toThrow('context deadline exceeded');
});
