import { messageOfError } from '#lib/machinery/error-message.ts';
import { joinPath, parentPath } from '../mount/path.ts';
import type { DevicePlugin, LeftDevice, MounterArgs, VolumeSpec } from '../volume.ts';
import { publishContext } from './attachment.ts';
import { credentials } from './attributes.ts';
import { takeOff } from './gone.ts';
import type { CSIHost } from './host.ts';
import { csiText, sharedName } from './names.ts';
import { BOUNDS, isFinal, nodeAbilities, volumeCapability } from './node-service.ts';
import { pluginDir, stagingPath } from './paths.ts';
import { accessModeOf, persistentSource, sourceOf } from './source.ts';
import { loadVolumeData, removeMountDir, saveVolumeData } from './volume-data.ts';

/** Staged volumes, which are shared by the pods of a node (upstream: csiAttacher as DeviceMounter). */
export const csiDevices = (csi: CSIHost): DevicePlugin => ({
  canMount: (spec) => sourceOf(spec)?.mode === 'Persistent',
  deviceMountPath: async (spec) => {
    const { driver, volumeHandle } = persistentSource(spec);
    if (driver === '') throw new Error('makeDeviceMountPath failed, csi source driver name is empty');
    if (volumeHandle === '')
      throw new Error('makeDeviceMountPath failed, CSIPersistentVolumeSource volume handle is empty');
    return stagingPath(csi.host.rootDirectory, driver, volumeHandle);
  },
  mountDevice: (spec, path, args) => stage(csi, spec, path, args),
  unmountDevice: async (_, path) => {
    if (path !== undefined) await unstage(csi, path);
  },
  devicesOnDisk: () => devicesOnDisk(csi),
});

async function stage(csi: CSIHost, spec: VolumeSpec, path: string, { fsGroup }: MounterArgs): Promise<void> {
  const source = persistentSource(spec);
  const client = clientOf(csi, source.driver, 'attacher.MountDevice failed to create newCsiDriverClient');
  const abilities = await nodeAbilities(client);
  const context = (await publishContext(csi, spec)) ?? {};
  const secretRef = abilities.stages ? source.nodeStageSecretRef : undefined;
  const secrets = secretRef === undefined ? {} : await secretsOf(csi, 'NodeStageSecretRef', secretRef);
  await makeFolder(csi, path);
  if (!abilities.stages) return;
  const { driver: driverName, volumeHandle } = source;
  await saveVolumeData(csi, parentPath(path), { volumeHandle, driverName });
  const use = {
    accessMode: accessModeOf(spec),
    block: false,
    fsType: source.fsType ?? '',
    mountOptions: spec.persistentVolume?.spec.mountOptions ?? [],
    ...(abilities.mountGroup && fsGroup !== undefined ? { fsGroup } : {}),
  };
  const request = {
    volumeId: volumeHandle,
    publishContext: context,
    stagingTargetPath: path,
    volumeCapability: volumeCapability(use, abilities),
    secrets,
    volumeContext: source.volumeAttributes ?? {},
  };
  try {
    await client.nodeStageVolume(request, BOUNDS);
  } catch (error) {
    if (isFinal(error)) await removeMountDir(csi, path).catch(() => undefined); // the driver's error is reported instead
    throw error;
  }
}

async function unstage(csi: CSIHost, path: string): Promise<void> {
  const folder = parentPath(path);
  const data = await loadVolumeData(csi, folder);
  if (data !== undefined) {
    const client = clientOf(csi, data.driverName, 'attacher.UnmountDevice failed to create newCsiDriverClient');
    const request = { volumeId: data.volumeHandle, stagingTargetPath: path };
    if ((await nodeAbilities(client)).stages)
      await takeOff(csi, path, () => client.nodeUnstageVolume(request, BOUNDS)).catch((error: unknown) => {
        throw new Error(csiText(`attacher.UnmountDevice failed: ${messageOfError(error)}`), { cause: error });
      });
  }
  try {
    await removeMountDir(csi, path);
  } catch (error) {
    const what = `failed to clean up global mount ${folder}: ${messageOfError(error)}`;
    throw new Error(csiText(what), { cause: error });
  }
}

/** Volumes that an earlier process staged. Their pods may have no directory any more. */
async function devicesOnDisk(csi: CSIHost): Promise<readonly LeftDevice[]> {
  const root = pluginDir(csi.host.rootDirectory);
  const found: LeftDevice[] = [];
  for (const driver of await csi.notes.list(root)) {
    if (driver === 'volumeDevices') continue;
    for (const folder of await csi.notes.list(joinPath(root, driver))) {
      const path = joinPath(root, driver, folder);
      const data = await loadVolumeData(csi, path);
      if (data === undefined) continue;
      found.push({ sharedName: sharedName(data.driverName, data.volumeHandle), path: joinPath(path, 'globalmount') });
    }
  }
  return found;
}

/** The node service of a driver. Throws with the name of the step if the driver is not registered. */
export function clientOf(csi: CSIHost, driver: string, step: string): ReturnType<CSIHost['client']> {
  try {
    return csi.client(driver);
  } catch (error) {
    throw new Error(csiText(`${step}: ${messageOfError(error)}`), { cause: error });
  }
}

/** The secret that a field of the volume refers to. */
export async function secretsOf(
  csi: CSIHost,
  field: string,
  reference: Parameters<typeof credentials>[1],
): ReturnType<typeof credentials> {
  try {
    return await credentials(csi, reference);
  } catch (error) {
    const name = `${reference.namespace ?? ''}/${reference.name ?? ''}`;
    throw new Error(`fetching ${field} ${name} failed: ${messageOfError(error)}`, { cause: error });
  }
}

async function makeFolder({ host }: CSIHost, path: string): Promise<void> {
  try {
    await host.files.makeFolder(path, 0o750);
  } catch (error) {
    const what = `attacher.MountDevice failed to create dir ${JSON.stringify(path)}:  ${messageOfError(error)}`;
    throw new Error(csiText(what), { cause: error });
  }
}
