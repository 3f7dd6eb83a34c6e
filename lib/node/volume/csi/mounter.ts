import type { Pod } from '#lib/api/types/core.v1.ts';
import type { CSIDriver } from '#lib/api/types/storage.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { DeepPartial, NodePublishVolumeRequest } from '#lib/node/csi/generated/csi-v1.ts';
import { parentPath } from '../mount/path.ts';
import type { MounterArgs, VolumeMounter, VolumeSpec } from '../volume.ts';
import { publishContext } from './attachment.ts';
import { podAttributes, tokenAttributes } from './attributes.ts';
import { clientOf, secretsOf } from './device.ts';
import { takeOff } from './gone.ts';
import type { CSIHost } from './host.ts';
import { attachmentName, csiText } from './names.ts';
import { BOUNDS, isFinal, type NodeAbilities, nodeAbilities, volumeCapability } from './node-service.ts';
import { stagingPath, targetPath } from './paths.ts';
import { accessModeOf, appliesGroup, type CSISource, checkLifecycleMode, handleOf, sourceOf } from './source.ts';
import { volumeStats } from './stats.ts';
import { loadVolumeData, removeMountDir, saveVolumeData } from './volume-data.ts';

interface Publishing {
  readonly csi: CSIHost;
  readonly spec: VolumeSpec;
  readonly pod: Pod;
  readonly found: CSISource;
  readonly handle: string;
  readonly path: string;
  readonly readOnly: boolean;
}

/** Publishes a volume to a pod (upstream: csiMountMgr). Throws for other volume types. */
export function csiMounter(csi: CSIHost, spec: VolumeSpec, pod: Pod): VolumeMounter {
  const found = sourceOf(spec);
  if (found === undefined) throw new Error('volume source not found in volume.Spec');
  const path = targetPath(csi.host.rootDirectory, pod.metadata.uid ?? '', spec.name);
  const readOnly = found.mode === 'Ephemeral' ? (found.source.readOnly ?? false) : spec.readOnly;
  const publishing = { csi, spec, pod, found, handle: handleOf(found, spec, pod), path, readOnly };
  let republish = false;
  return {
    path,
    get attributes() {
      return { readOnly, managed: !readOnly, seLinuxRelabel: false, republish };
    },
    stats: () => volumeStats(csi, { driver: found.source.driver, handle: publishing.handle, path }),
    setUp: async (args) => {
      const driver = await setUp(publishing, args);
      republish = driver?.spec.requiresRepublish ?? false;
    },
  };
}

async function setUp(publishing: Publishing, args: MounterArgs): Promise<CSIDriver | undefined> {
  const { csi, spec, found, path, handle } = publishing;
  const { driver: name } = found.source;
  const client = clientOf(csi, name, 'mounter.SetUpAt failed to get CSI client');
  const driver = await csi.csiDriver(name);
  checked('lifecycle mode', () => checkLifecycleMode(name, found.mode, driver));
  const fsType = found.source.fsType ?? '';
  const isGroups = checked('fsGroup policy', () => appliesGroup(spec, fsType, driver));
  const abilities = await nodeAbilities(client);
  const request = await publishRequest(publishing, { driver, abilities, args });
  const folder = parentPath(path);
  await csi.host.files.makeFolder(folder, 0o750);
  await saveVolumeData(csi, folder, {
    specVolID: spec.name,
    volumeHandle: handle,
    driverName: name,
    nodeName: csi.node,
    volumeLifecycleMode: found.mode,
    attachmentID: attachmentName(handle, name, csi.node),
  });
  try {
    await client.nodePublishVolume(request, BOUNDS);
  } catch (error) {
    // A volume that the pod may already use stays unchanged. A later publish continues with it.
    if (isFinal(error) && args.isRemount !== true) await removeMountDir(csi, path).catch(() => undefined);
    throw error;
  }
  if (abilities.mountGroup || !isGroups || args.fsGroup === undefined || publishing.readOnly) return driver;
  const { fsGroup, fsGroupChangePolicy: policy } = args;
  try {
    await csi.host.files.changeOwnership(path, {
      fsGroup,
      readOnly: false,
      ...(policy === undefined ? {} : { policy }),
    });
  } catch (error) {
    throw new Error(`applyFSGroup failed for vol ${handle}: ${messageOfError(error)}`, { cause: error });
  }
  return driver;
}

interface PublishInputs {
  readonly driver: CSIDriver | undefined;
  readonly abilities: NodeAbilities;
  readonly args: MounterArgs;
}

async function publishRequest(
  { csi, spec, pod, found, handle, path, readOnly }: Publishing,
  { driver, abilities, args }: PublishInputs,
): Promise<DeepPartial<NodePublishVolumeRequest>> {
  const isPersistent = found.mode === 'Persistent';
  const isStaged = isPersistent && abilities.stages;
  const tokens = await tokenAttributes(csi, pod, driver).catch((error: unknown) => {
    const what = `mounter.SetUpAt failed to get service accoount token attributes: ${messageOfError(error)}`;
    throw new Error(csiText(what), { cause: error });
  });
  const inSecrets = driver?.spec.serviceAccountTokenInSecrets === true;
  const use = {
    accessMode: accessModeOf(spec),
    block: false,
    fsType: found.source.fsType ?? '',
    mountOptions: spec.persistentVolume?.spec.mountOptions ?? [],
    ...(abilities.mountGroup && args.fsGroup !== undefined ? { fsGroup: args.fsGroup } : {}),
  };
  return {
    volumeId: handle,
    publishContext: isPersistent ? await contextOf(csi, spec) : {},
    stagingTargetPath: isStaged ? stagingPath(csi.host.rootDirectory, found.source.driver, handle) : '',
    targetPath: path,
    volumeCapability: volumeCapability(use, abilities),
    readonly: readOnly,
    secrets: { ...(await publishSecrets(csi, found, pod)), ...(inSecrets ? tokens : {}) },
    volumeContext: {
      ...found.source.volumeAttributes,
      ...(driver?.spec.podInfoOnMount === true ? podAttributes(pod, found.mode) : {}),
      ...(inSecrets ? {} : tokens),
    },
  };
}

async function contextOf(csi: CSIHost, spec: VolumeSpec): Promise<Readonly<Record<string, string>>> {
  try {
    return (await publishContext(csi, spec)) ?? {};
  } catch (error) {
    const what = `mounter.SetUpAt failed to fetch publishContext: ${messageOfError(error)}`;
    throw new Error(csiText(what), { cause: error });
  }
}

/** The secret for publishing. For a volume in a pod's spec, it is in the pod's namespace. */
export function publishSecrets(csi: CSIHost, { mode, source }: CSISource, pod: Pod): ReturnType<typeof secretsOf> {
  const reference = source.nodePublishSecretRef;
  if (reference === undefined) return Promise.resolve({});
  const namespace = mode === 'Persistent' ? source.nodePublishSecretRef?.namespace : pod.metadata.namespace;
  return secretsOf(csi, 'NodePublishSecretRef', { name: reference.name ?? '', namespace: namespace ?? '' });
}

/** Unpublishes a pod's volume. Does nothing if it was never published. */
export async function tearDown(csi: CSIHost, volumeName: string, podUid: string): Promise<void> {
  const path = targetPath(csi.host.rootDirectory, podUid, volumeName);
  const data = await loadVolumeData(csi, parentPath(path));
  if (data !== undefined) {
    const client = clientOf(csi, data.driverName, 'Unmounter.TearDownAt failed to get CSI client');
    const request = { volumeId: data.volumeHandle, targetPath: path };
    await takeOff(csi, path, () => client.nodeUnpublishVolume(request, BOUNDS)).catch((error: unknown) => {
      throw new Error(csiText(`Unmounter.TearDownAt failed: ${messageOfError(error)}`), { cause: error });
    });
  }
  try {
    await removeMountDir(csi, path);
  } catch (error) {
    const what = `Unmounter.TearDownAt failed to clean mount dir [${path}]: ${messageOfError(error)}`;
    throw new Error(csiText(what), { cause: error });
  }
}

function checked<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const prefix = what === 'lifecycle mode' ? 'volume lifecycle mode' : what;
    throw new Error(csiText(`mounter.SetupAt failed to check ${prefix}: ${messageOfError(error)}`), { cause: error });
  }
}
