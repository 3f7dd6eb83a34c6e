import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, STORAGE_CLASSES } from '#lib/api/types/resources.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

const UNSUPPORTED =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

/** Allows a claim to grow only if it is bound and its class supports expansion. */
export function persistentVolumeClaimResize(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    operations: ['UPDATE'],
    about: ['/persistentvolumeclaims'],
    async validate(attributes) {
      if (!isAbout(attributes, PERSISTENT_VOLUME_CLAIMS)) return;
      const { object, oldObject } = attributes;
      if (object === undefined || oldObject === undefined) return;
      if (compareQuantities(sizeOf(object), sizeOf(oldObject)) <= 0) return;
      if (oldObject.status.phase !== 'Bound')
        throw refusal(attributes, 'Only bound persistent volume claims can be expanded');
      const name = classOf(object);
      const chosen = name === '' || name !== classOf(oldObject) ? undefined : await lookup.find(STORAGE_CLASSES, name);
      if (chosen?.allowVolumeExpansion !== true) throw refusal(attributes, UNSUPPORTED);
    },
  };
}

const sizeOf = ({ spec }: PersistentVolumeClaim): string => ownField(spec.resources.requests, 'storage') ?? '0';

/** Returns the class. The legacy annotation takes precedence over the field. */
const classOf = (claim: PersistentVolumeClaim): string =>
  annotationsOf(claim)['volume.beta.kubernetes.io/storage-class'] ?? claim.spec.storageClassName ?? '';
