import { readFileSync } from 'node:fs';
import { dialDevicePlugin } from '#adapters/node/grpc/deviceplugin/dial.ts';
import { serveDevicePlugins } from '#adapters/node/grpc/deviceplugin/serve.ts';
import { FileCheckpoints } from '#adapters/node/host/records/checkpoint-store.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { DevicePluginRegistration } from '#lib/node/kubelet/cm/devicemanager/plugin/v1beta1/registration.ts';
import { ManagerFixture } from '#lib/node/kubelet/cm/devicemanager/testing.ts';

/*
 * The devices of a node, in a separate process: `flapping-agent.ts FOLDER`. It serves kubelet.sock in the folder. It prints its memory in
 * MiB when it listens and after each 1,000 lists of a plugin.
 */
const [directory = ''] = process.argv.slice(2);
const fixture = new ManagerFixture({ store: new FileCheckpoints(directory) });
let lists = 0;
const registration = new DevicePluginRegistration({
  socketDir: directory,
  dial: dialDevicePlugin,
  listener: {
    pluginConnected: (...plugin) => fixture.manager.pluginConnected(...plugin),
    pluginDisconnected: (resource) => fixture.manager.pluginDisconnected(resource),
    async pluginListAndWatch(...list) {
      await fixture.manager.pluginListAndWatch(...list);
      if (++lists % 1000 === 0) tell();
    },
  },
  registered: () => undefined,
  onFault: (error) => console.error(messageOfError(error)),
});
await serveDevicePlugins(directory, { register: (request) => registration.register(request) });
tell();

function tell(): void {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  console.log(`memory ${Math.round(Number(kib) / 1024)}`);
}
