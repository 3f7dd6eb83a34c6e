import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '#lib/api/types/core.v1.ts';
import { claimOf, notOwned } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import type { VolumeSpec } from '#lib/node/volume/volume.ts';
import { claimedSize, STORAGE } from './expansion/claim-status.ts';
import type { ClaimSizes } from './expansion/volume-sizes.ts';

/**
 * The claims and volumes that a node reads from the API. Methods return undefined if the object does not exist, and throw if the server is
 * unavailable.
 */
export interface ClaimReader {
  claim(namespace: string, name: string): Promise<PersistentVolumeClaim | undefined>;
  volume(name: string): Promise<PersistentVolume | undefined>;
}

/** A volume that a pod needs. */
export interface DesiredVolume {
  /** The name in the pod's spec. */
  readonly outerName: string;
  readonly spec: VolumeSpec;
  readonly block: boolean;
  /** The group in the persistent volume's annotation, or '' without one. */
  readonly gid: string;
  /** The sizes of the volume, if it belongs to a claim. */
  readonly sizes?: ClaimSizes;
}

const PROTECTION = 'kubernetes.io/pvc-protection';
const GID_ANNOTATION = 'pv.beta.kubernetes.io/gid';

/** Names of the volumes that the containers of a pod mount, and of those that they use as devices. */
export function usedVolumes({ spec }: Pod): {
  readonly mounts: ReadonlySet<string>;
  readonly devices: ReadonlySet<string>;
} {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  return {
    mounts: new Set(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name))),
    devices: new Set(containers.flatMap(({ volumeDevices = [] }) => volumeDevices.map(({ name }) => name))),
  };
}

/**
 * The source of a pod's volume: the volume itself, or the persistent volume that its claim is bound to. Throws if the source is not usable.
 */
export async function desiredVolume(reader: ClaimReader, pod: Pod, volume: Volume): Promise<DesiredVolume> {
  const claim = claimOf(pod, volume);
  if (claim === undefined)
    return { outerName: volume.name, spec: { name: volume.name, volume, readOnly: false }, block: false, gid: '' };
  const namespace = pod.metadata.namespace ?? '';
  const { volume: persistentVolume, claimed } = await bound(reader, pod, { namespace, ...claim }).catch(
    (error: unknown) => {
      if (error instanceof NotOwned) throw error;
      throw new Error(`error processing PVC ${namespace}/${claim.name}: ${messageOfError(error)}`, { cause: error });
    },
  );
  const readOnly = volume.persistentVolumeClaim?.readOnly ?? false;
  const mode = persistentVolume.spec.volumeMode ?? 'Filesystem';
  checkMode(volume.name, mode, usedVolumes(pod));
  return {
    outerName: volume.name,
    spec: { name: persistentVolume.metadata.name ?? '', persistentVolume, readOnly },
    block: mode === 'Block',
    gid: persistentVolume.metadata.annotations?.[GID_ANNOTATION] ?? '',
    sizes: { desired: persistentVolume.spec.capacity?.[STORAGE] ?? '0', claimed },
  };
}

/** The error for the claim of an ephemeral volume that does not belong to this pod. Its text needs no prefix. */
class NotOwned extends Error {}

async function bound(
  reader: ClaimReader,
  pod: Pod,
  {
    namespace,
    name,
    isEphemeral,
  }: { readonly namespace: string; readonly name: string; readonly isEphemeral: boolean },
): Promise<{ readonly volume: PersistentVolume; readonly claimed: string }> {
  const claim = await reader.claim(namespace, name).catch((error: unknown) => {
    throw new Error(`failed to fetch PVC from API server: ${messageOfError(error)}`, { cause: error });
  });
  if (claim === undefined)
    throw new Error(`failed to fetch PVC from API server: persistentvolumeclaims ${JSON.stringify(name)} not found`);
  const { finalizers = [], uid = '' } = claim.metadata;
  // A protected claim is not removed before its pods. Running pods keep it across a restart of the kubelet.
  if (isDeleting(claim) && !finalizers.includes(PROTECTION)) throw new Error('PVC is being deleted');
  if (claim.status?.phase !== 'Bound') throw new Error('PVC is not bound');
  const volumeName = claim.spec.volumeName ?? '';
  if (volumeName === '') throw new Error('PVC has empty pvc.Spec.VolumeName');
  const foreign = isEphemeral ? notOwned(pod, claim) : undefined;
  if (foreign !== undefined) throw new NotOwned(foreign);
  return { volume: await boundVolume(reader, volumeName, uid), claimed: claimedSize(claim) };
}

async function boundVolume(reader: ClaimReader, name: string, claimUid: string): Promise<PersistentVolume> {
  const volume = await reader.volume(name).catch((error: unknown) => {
    throw new Error(`failed to fetch PV ${name} from API server: ${messageOfError(error)}`, { cause: error });
  });
  if (volume === undefined)
    throw new Error(`failed to fetch PV ${name} from API server: persistentvolumes ${JSON.stringify(name)} not found`);
  const { claimRef } = volume.spec;
  if (claimRef === undefined)
    throw new Error(
      `found PV object ${name} but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim`,
    );
  if (claimRef.uid === claimUid) return volume;
  throw new Error(
    `found PV object ${name} but its pv.Spec.ClaimRef.UID ${claimRef.uid ?? ''} does not point to claim.UID ${claimUid}`,
  );
}

function checkMode(name: string, mode: string, { mounts, devices }: ReturnType<typeof usedVolumes>): void {
  if (mounts.has(name) && mode !== 'Filesystem')
    throw new Error(`volume ${name} has volumeMode ${mode}, but is specified in volumeMounts`);
  if (devices.has(name) && mode !== 'Block')
    throw new Error(`volume ${name} has volumeMode ${mode}, but is specified in volumeDevices`);
}
