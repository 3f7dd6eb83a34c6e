import type { PersistentVolume, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import type { StorageClass } from '#lib/api/types/storage.v1.ts';
import { PROVISIONED_BY, STORAGE_PROVISIONER } from '#lib/helpers/component-helpers/storage/volume/annotations.ts';
import { classOf } from '#lib/helpers/component-helpers/storage/volume/match.ts';
import { type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { annotationsOf, isDeleting, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';

/** The name of the provisioner and CSI driver of empty volumes. */
export const PROVISIONER = 'simulated.davit.dev';

const DEFAULT = 'storageclass.kubernetes.io/is-default-class';

/** The storage class of simulated volumes. It becomes the cluster's default if there is no other default. */
export function newStorageClass(others: readonly StorageClass[]): JsonObject {
  const isDefault = !others.some((one) => annotationsOf(one)[DEFAULT] === 'true');
  return {
    metadata: { name: 'simulated', annotations: { [DEFAULT]: String(isDefault) } },
    provisioner: PROVISIONER,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
  };
}

/** Whether the claim waits for a simulated volume because the volume binder requested one. */
export const wantsVolume = (claim: PersistentVolumeClaim): boolean =>
  annotationsOf(claim)[STORAGE_PROVISIONER] === PROVISIONER &&
  (claim.spec.volumeName ?? '') === '' &&
  !isDeleting(claim);

/** The volume of a claim, as an external provisioner creates it. Its name derives from the claim's uid. */
export function newVolume(claim: PersistentVolumeClaim, { reclaimPolicy }: StorageClass): JsonObject {
  const { accessModes = [], resources, volumeMode } = claim.spec;
  const name = `pvc-${uidOf(claim)}`;
  const claimRef = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    namespace: namespaceOf(claim),
    name: nameOf(claim),
    uid: uidOf(claim),
  };
  return {
    metadata: { name, annotations: { [PROVISIONED_BY]: PROVISIONER } },
    spec: {
      accessModes,
      capacity: { storage: ownField(resources.requests, 'storage') ?? '' },
      claimRef,
      csi: { driver: PROVISIONER, volumeHandle: name },
      persistentVolumeReclaimPolicy: reclaimPolicy || 'Delete',
      storageClassName: classOf(claim),
      volumeMode: volumeMode || 'Filesystem',
    },
  };
}

/** Whether the volume is simulated and must be deleted because its claim no longer exists. */
export const isLeftOver = (volume: PersistentVolume): boolean =>
  annotationsOf(volume)[PROVISIONED_BY] === PROVISIONER &&
  volume.status.phase === 'Released' &&
  volume.spec.persistentVolumeReclaimPolicy === 'Delete' &&
  !isDeleting(volume);
