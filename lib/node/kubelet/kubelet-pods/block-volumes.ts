import type { Container } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import type { DeviceInfo } from '../container/runtime.ts';
import type { MountedVolume } from '../volumemanager/volume-manager.ts';
import type { PodFiles } from './pod-files.ts';

/** The block volumes of a container as devices (upstream: makeBlockVolumes). Rejects with upstream's text for a missing one. */
export async function makeBlockVolumes(
  { name, volumeDevices = [] }: Pick<Container, 'name' | 'volumeDevices'>,
  volumes: ReadonlyMap<string, MountedVolume>,
  files: Pick<PodFiles, 'isLink'>,
): Promise<DeviceInfo[]> {
  const devices: DeviceInfo[] = [];
  for (const device of volumeDevices) {
    const { devicePath } = device;
    if (!devicePath.startsWith('/')) throw new Error(`error DevicePath \`${devicePath}\` must be an absolute path`);
    const volume = volumes.get(device.name);
    if (volume?.block !== true)
      throw new Error(`cannot find volume ${quote(device.name)} to pass into container ${quote(name)}`);
    if (!(await files.isLink(volume.path))) continue;
    const permissions = volume.readOnly ? 'r' : 'mrw';
    devices.push({ pathOnHost: volume.path, pathInContainer: devicePath, permissions });
  }
  return devices;
}
