import { messageOfError } from '#lib/machinery/error-message.ts';
import type { VolumePlugin } from '#lib/node/volume/volume.ts';
import type { ActualVolumes } from './actual-volumes.ts';

/** Records the device of a volume in a pod's directory as uncertain, if the plugin can find devices only from those directories. */
export function reconstructDevice(
  actual: ActualVolumes,
  { plugin, unique, volume }: { readonly plugin: VolumePlugin; readonly unique: string; readonly volume: string },
): void {
  const { device } = plugin;
  if (device === undefined || device.devicesOnDisk !== undefined) return;
  const release = (): Promise<void> => device.unmountDevice(volume);
  actual.devices.set(unique, { name: volume, isReady: false, isAttachable: false, release });
}

/**
 * Records devices that an earlier process left on the host as uncertain. Unneeded devices are removed, even if their pod left no directory.
 */
export async function reconstructDevices(
  { plugins, log }: { readonly plugins: readonly VolumePlugin[]; log(message: string): void },
  actual: ActualVolumes,
): Promise<void> {
  for (const { name, device, block, attach } of plugins) {
    const add = (shared: string, path: string, release: () => Promise<void>): void => {
      const unique = `${name}/${shared}`;
      if (actual.devices.has(unique)) return;
      actual.devices.set(unique, { name: path, isReady: false, isAttachable: attach !== undefined, release });
    };
    try {
      for (const { sharedName, path } of (await device?.devicesOnDisk?.()) ?? [])
        add(sharedName, path, async () => device?.unmountDevice(path, path));
      for (const { sharedName, path } of (await block?.devicesOnDisk?.()) ?? [])
        add(sharedName, path, async () => block?.tearDownDevice?.(path));
    } catch (error) {
      log(`could not reconstruct the devices of ${name}: ${messageOfError(error)}`);
    }
  }
}
