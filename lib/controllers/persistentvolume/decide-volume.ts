import type { HostPathVolumeSource, PersistentVolume, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { MIGRATED_TO, PROVISIONED_BY } from '#lib/helpers/component-helpers/storage/volume/annotations.ts';
import { isOtherMode } from '#lib/helpers/component-helpers/storage/volume/match.ts';
import { annotationsOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { isBuiltIn } from './provisioners.ts';

const HOST_PATH = 'kubernetes.io/host-path';
const NFS = 'kubernetes.io/nfs';

/** The next step for a volume. */
export type VolumeAction =
  | { readonly action: 'phase'; readonly phase: string; readonly event?: EventText }
  | { readonly action: 'unbind' }
  /** The volume cannot be bound to the claim, and events on both report it. */
  | { readonly action: 'mismatch'; readonly claim: PersistentVolumeClaim }
  | { readonly action: 'nothing' };

/** Upstream's syncVolume. `claim` is the claim with the name in the volume's claim reference. */
export function decideVolume(volume: PersistentVolume, claim: PersistentVolumeClaim | undefined): VolumeAction {
  const { claimRef, persistentVolumeReclaimPolicy: policy } = volume.spec;
  if (!claimRef?.uid) return { action: 'phase', phase: 'Available' };
  if (claim === undefined || uidOf(claim) !== claimRef.uid) return release(volume);
  const bound = claim.spec.volumeName ?? '';
  if (bound === '') return isOtherMode(volume, claim) ? { action: 'mismatch', claim } : { action: 'nothing' };
  if (bound === nameOf(volume)) return { action: 'phase', phase: 'Bound' };
  const isSpare = annotationsOf(volume)[PROVISIONED_BY] !== undefined && policy === 'Delete';
  return isSpare ? release(volume) : { action: 'unbind' };
}

/** Leaves a volume to its provisioner. A volume that cannot be reclaimed is marked as failed, and stays so. */
function release(volume: PersistentVolume): VolumeAction {
  if (volume.status.phase === 'Failed') return { action: 'nothing' };
  if (volume.status.phase !== 'Released') return { action: 'phase', phase: 'Released' };
  const event = whyNotReclaimed(volume);
  return event === undefined ? { action: 'nothing' } : { action: 'phase', phase: 'Failed', event };
}

function whyNotReclaimed(volume: PersistentVolume): EventText | undefined {
  if (annotationsOf(volume)[MIGRATED_TO] !== undefined) return undefined;
  const failed = (reason: string, message: string): EventText => ({ type: 'Warning', reason, message });
  switch (volume.spec.persistentVolumeReclaimPolicy) {
    case 'Retain':
      return undefined;
    case 'Recycle':
      return failed('VolumeFailedRecycle', 'No recycler plugin found for the volume!');
    case 'Delete': {
      const why = whyNotDeleted(volume);
      return why === undefined ? undefined : failed('VolumeFailedDelete', why);
    }
    default:
      return failed('VolumeUnknownReclaimPolicy', 'Volume has unrecognized PersistentVolumeReclaimPolicy');
  }
}

/**
 * The reason why the volume is not deleted, worded like the plugin that upstream would call. Undefined if an external provisioner deletes
 * it.
 */
function whyNotDeleted(volume: PersistentVolume): string | undefined {
  const provisioner = annotationsOf(volume)[PROVISIONED_BY] ?? '';
  if (provisioner !== '' && !isBuiltIn(provisioner)) return undefined;
  const { csi, hostPath, nfs } = volume.spec;
  if (provisioner === '' && csi !== undefined) return undefined;
  const isHostPath = provisioner === '' ? hostPath !== undefined : provisioner === HOST_PATH;
  if (isHostPath && !/\/tmp\/./.test(hostPath?.path ?? '')) return outsideOfTmp(hostPath);
  if (isHostPath || provisioner === NFS) return 'no deletable volume plugin matched';
  if (provisioner !== '') return `no volume plugin matched name: ${provisioner}`;
  const matched = nfs === undefined ? 'no volume plugin matched' : 'no deletable volume plugin matched';
  return `error getting deleter volume plugin for volume "${nameOf(volume)}": ${matched}`;
}

const outsideOfTmp = (source: HostPathVolumeSource | undefined): string =>
  source === undefined
    ? 'spec.PersistentVolumeSource.HostPath is nil'
    : `host_path deleter only supports /tmp/.+ but received provided ${source.path}`;
