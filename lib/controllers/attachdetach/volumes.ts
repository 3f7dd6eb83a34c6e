import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '#lib/api/types/core.v1.ts';
import type { VolumeAttachmentSource } from '#lib/api/types/storage.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import {
  notOwned,
  type PodClaim,
  podClaims,
  volumesOf,
} from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { attachmentName, CSI_PLUGIN, sharedName } from '#lib/helpers/component-helpers/storage/volume/csi-names.ts';
import { TranslationError } from '#lib/helpers/csi-translation/plugins.ts';
import { csiVolumeOf, translateInline } from '#lib/helpers/csi-translation/translate.ts';
import { isDeleting, nameOf, uidOf } from '#lib/machinery/meta.ts';

/** A volume that a CSI driver may attach to nodes. */
export interface AttachableVolume {
  /** The name in the status of nodes: upstream's unique volume name. */
  readonly uniqueName: string;
  /** The name in events. */
  readonly title: string;
  readonly driver: string;
  readonly handle: string;
  /** Whether at most one node may have the volume. */
  readonly isExclusive: boolean;
  readonly source: VolumeAttachmentSource;
}

/** The prefix of the names of CSI volumes in the status of nodes. */
export const CSI_PREFIX = `${CSI_PLUGIN}/`;

const SHARED_MODES: readonly string[] = ['ReadWriteMany', 'ReadOnlyMany'];
/** The only formerly in-tree plugin whose inline volumes may be attached to several nodes. */
const AZURE_FILE = 'file.csi.azure.com';

/** Converts a persistent volume. Undefined if it has no CSI driver. */
export function attachableOf(volume: PersistentVolume): AttachableVolume | undefined {
  const found = volume.spec.csi ?? untranslatable(() => csiVolumeOf(volume));
  if (found === undefined) return undefined;
  const modes = volume.spec.accessModes ?? [];
  return {
    ...named(found.driver, found.volumeHandle),
    title: nameOf(volume),
    isExclusive: modes.length > 0 && !modes.some((mode) => SHARED_MODES.includes(mode)),
    source: { persistentVolumeName: nameOf(volume) },
  };
}

/** An inline volume that migrated to a CSI driver. Undefined for any other. */
export function attachableInline(volume: Volume): AttachableVolume | undefined {
  const found = untranslatable(() => translateInline(volume));
  if (found === undefined) return undefined;
  const isExclusive = found.driver !== AZURE_FILE;
  const accessModes = [isExclusive ? 'ReadWriteOnce' : 'ReadWriteMany'];
  return {
    ...named(found.driver, found.volumeHandle),
    title: `${found.driver}-${found.volumeHandle}`,
    isExclusive,
    source: { inlineVolumeSpec: { accessModes, csi: { driver: found.driver, volumeHandle: found.volumeHandle } } },
  };
}

const named = (driver: string, handle: string) => ({
  driver,
  handle,
  uniqueName: `${CSI_PREFIX}${sharedName(driver, handle)}`,
});

function untranslatable<T>(translate: () => T): T | undefined {
  try {
    return translate();
  } catch (error) {
    if (error instanceof TranslationError) return undefined;
    throw error;
  }
}

/** The name of the VolumeAttachment for a volume in a node's status. Undefined if it is not a CSI volume. */
export function attachmentOfName(uniqueName: string, node: string): string | undefined {
  if (!uniqueName.startsWith(CSI_PREFIX)) return undefined;
  const [driver = '', ...handle] = uniqueName.slice(CSI_PREFIX.length).split('^');
  return handle.length === 0 ? undefined : attachmentName(handle.join('^'), driver, node);
}

/** The name of the VolumeAttachment of a volume on a node. */
export const attachmentOf = ({ handle, driver }: AttachableVolume, node: string): string =>
  attachmentName(handle, driver, node);

/** Whether a pod no longer needs its volumes: it ended, or it is deleted and no container runs. Upstream's IsPodTerminated. */
export function isTerminated(pod: Pod): boolean {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = pod.status;
  if (isPodTerminal(pod)) return true;
  const all = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  return isDeleting(pod) && all.every(({ state }) => state?.terminated !== undefined || state?.waiting !== undefined);
}

/** Whether a pod is on a node and needs its volumes there. */
export const needsVolumes = (pod: Pod): boolean => nodeNameOf(pod) !== '' && !isTerminated(pod);

/** The name of the volume that a claim provides to a pod. Undefined if the claim is unbound or belongs to another pod. */
export function volumeFor(pod: Pod, { isEphemeral }: PodClaim, claim: PersistentVolumeClaim): string | undefined {
  if (isEphemeral && notOwned(pod, claim) !== undefined) return undefined;
  return claim.status.phase === 'Bound' ? claim.spec.volumeName || undefined : undefined;
}

/** Whether the volume's claim reference points back to the claim. */
export const belongsTo = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean =>
  volume.spec.claimRef?.uid === uidOf(claim);

/** The inline volumes of a pod that CSI drivers attach. */
export const inlineVolumes = (pod: Pod): AttachableVolume[] =>
  volumesOf(pod).flatMap((volume) => attachableInline(volume) ?? []);

/** Whether a pod has any attachable volume. */
export const mayAttach = (pod: Pod): boolean => podClaims(pod).length > 0 || inlineVolumes(pod).length > 0;
