import type { Pod } from '#lib/api/types/core.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { joinPath, parentPath } from '../mount/path.ts';
import type { BlockPlugin, LeftDevice, VolumeSpec } from '../volume.ts';
import { publishContext } from './attachment.ts';
import { podAttributes } from './attributes.ts';
import { clientOf, secretsOf } from './device.ts';
import { takeOff } from './gone.ts';
import type { CSIHost } from './host.ts';
import { publishSecrets } from './mounter.ts';
import { attachmentName, csiText, sharedName } from './names.ts';
import { BOUNDS, isFinal, nodeAbilities, volumeCapability } from './node-service.ts';
import { blockDataDir, blockDir, blockPublishDir, blockStagingPath, podDevicePath } from './paths.ts';
import { accessModeOf, persistentSource } from './source.ts';
import { volumeStats } from './stats.ts';
import { loadVolumeData, removeVolumeData, saveVolumeData, type VolumeData } from './volume-data.ts';

/** Volumes of drivers as devices in containers (upstream: csiBlockMapper). */
export const csiBlocks = (csi: CSIHost): BlockPlugin => ({
  setUpDevice: (spec) => stage(csi, spec),
  mapDevice: (spec, pod) => publish(csi, spec, pod),
  unmapDevice: (volumeName, podUid) => unpublish(csi, volumeName, podUid),
  stats: (spec, pod) => {
    const { driver, volumeHandle: handle } = persistentSource(spec);
    const path = joinPath(blockPublishDir(csi.host.rootDirectory, spec.name), pod.metadata.uid ?? '');
    return () => volumeStats(csi, { driver, handle, path });
  },
  tearDownDevice: (volumeName) => unstage(csi, volumeName),
  devicesOnDisk: () => devicesOnDisk(csi),
});

/** Writes the volume data file, then calls the driver to stage the volume, if it supports staging. */
async function stage(csi: CSIHost, spec: VolumeSpec): Promise<void> {
  const source = persistentSource(spec);
  const { driver: driverName, volumeHandle } = source;
  const { rootDirectory: root, files } = csi.host;
  const folder = blockDataDir(root, spec.name);
  await files.makeFolder(folder, 0o750);
  const attachmentID = attachmentName(volumeHandle, driverName, csi.node);
  const data = { specVolID: spec.name, volumeHandle, driverName, nodeName: csi.node, attachmentID };
  await saveVolumeData(csi, folder, data);
  const client = clientOf(csi, driverName, 'blockMapper.SetUpDevice failed to get CSI client');
  const abilities = await nodeAbilities(client);
  const context = (await publishContext(csi, spec)) ?? {};
  if (!abilities.stages) return;
  const { nodeStageSecretRef } = source;
  const secrets =
    nodeStageSecretRef === undefined ? {} : await secretsOf(csi, 'NodeStageSecretRef', nodeStageSecretRef);
  const path = blockStagingPath(root, spec.name);
  await files.makeFolder(path, 0o750);
  const request = {
    volumeId: volumeHandle,
    publishContext: context,
    stagingTargetPath: path,
    volumeCapability: volumeCapability({ accessMode: accessModeOf(spec), block: true }, abilities),
    secrets,
    volumeContext: source.volumeAttributes ?? {},
  };
  try {
    await client.nodeStageVolume(request, BOUNDS);
  } catch (error) {
    if (isFinal(error)) await cleanUp(csi, spec.name).catch(() => undefined); // the driver's error is reported instead
    throw error;
  }
}

/** Calls the driver to publish the device for a pod, and links it into the pod's directory. Returns the link. */
async function publish(csi: CSIHost, spec: VolumeSpec, pod: Pod): Promise<string> {
  const source = persistentSource(spec);
  const { rootDirectory: root, files } = csi.host;
  const uid = pod.metadata.uid ?? '';
  const client = clientOf(csi, source.driver, 'blockMapper.MapPodDevice failed to get CSI client');
  const [abilities, driver] = [await nodeAbilities(client), await csi.csiDriver(source.driver)];
  const path = joinPath(blockPublishDir(root, spec.name), uid);
  await files.makeFolder(parentPath(path), 0o750);
  const link = podDevicePath(root, uid, spec.name);
  await files.linkDevice(path, link); // first, because a later process finds the volume by the link
  await client.nodePublishVolume(
    {
      volumeId: source.volumeHandle,
      publishContext: (await publishContext(csi, spec)) ?? {},
      stagingTargetPath: blockStagingPath(root, spec.name),
      targetPath: path,
      volumeCapability: volumeCapability({ accessMode: accessModeOf(spec), block: true }, abilities),
      readonly: spec.readOnly,
      secrets: await publishSecrets(csi, { mode: 'Persistent', source }, pod),
      volumeContext: {
        ...source.volumeAttributes,
        ...(driver?.spec.podInfoOnMount === true ? podAttributes(pod, 'Persistent') : {}),
      },
    },
    BOUNDS,
  );
  return link;
}

async function unpublish(csi: CSIHost, volumeName: string, podUid: string): Promise<void> {
  const { rootDirectory: root } = csi.host;
  const path = joinPath(blockPublishDir(root, volumeName), podUid);
  const data = await loadVolumeData(csi, blockDataDir(root, volumeName));
  if (data !== undefined) {
    const client = clientOf(csi, data.driverName, 'blockMapper.UnmapPodDevice failed to get CSI client');
    const request = { volumeId: data.volumeHandle, targetPath: path };
    await takeOff(csi, path, () => client.nodeUnpublishVolume(request, BOUNDS)).catch((error: unknown) => {
      const what = `blockMapper.unpublishVolumeForBlock failed: ${messageOfError(error)}`;
      throw new Error(csiText(what), { cause: error });
    });
  }
  // Drivers should remove their file. A remaining one would keep the volume's directory.
  if ((await csi.host.mounter.isMountPoint(path)) !== true) await csi.notes.remove(path);
  await csi.notes.remove(podDevicePath(root, podUid, volumeName));
}

async function unstage(csi: CSIHost, volumeName: string): Promise<void> {
  const { rootDirectory: root, files } = csi.host;
  const data = await loadVolumeData(csi, blockDataDir(root, volumeName));
  const path = blockStagingPath(root, volumeName);
  if (data !== undefined && (await files.fileType(path)) !== undefined) await unstaged(csi, data, path);
  await cleanUp(csi, volumeName);
}

async function unstaged(csi: CSIHost, data: VolumeData, path: string): Promise<void> {
  const client = clientOf(csi, data.driverName, 'blockMapper.TearDownDevice failed to get CSI client');
  if (!(await nodeAbilities(client)).stages) return;
  const request = { volumeId: data.volumeHandle, stagingTargetPath: path };
  await takeOff(csi, path, () => client.nodeUnstageVolume(request, BOUNDS)).catch((error: unknown) => {
    const what = `blockMapper.unstageVolumeForBlock failed: ${messageOfError(error)}`;
    throw new Error(csiText(what), { cause: error });
  });
  await csi.host.files.removeTree(path);
}

/** Removes the remaining files of an unused volume. The data file is removed last, so that the cleanup restarts after a crash. */
async function cleanUp(csi: CSIHost, volumeName: string): Promise<void> {
  const { rootDirectory: root } = csi.host;
  await csi.notes.remove(blockPublishDir(root, volumeName));
  await csi.notes.remove(blockStagingPath(root, volumeName));
  const folder = blockDataDir(root, volumeName);
  await removeVolumeData(csi, folder);
  await csi.notes.remove(parentPath(folder));
}

/** Block volumes that an earlier process staged. */
async function devicesOnDisk(csi: CSIHost): Promise<readonly LeftDevice[]> {
  const { rootDirectory: root } = csi.host;
  const found: LeftDevice[] = [];
  for (const volume of await csi.notes.list(blockDir(root))) {
    const data = await loadVolumeData(csi, joinPath(blockDir(root), volume, 'data'));
    if (data === undefined) continue;
    found.push({ sharedName: sharedName(data.driverName, data.volumeHandle), path: data.specVolID ?? volume });
  }
  return found;
}
