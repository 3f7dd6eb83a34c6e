import type { PersistentVolume } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import { expressionWarnings } from '../../shared/node-labels.ts';

const ANNOTATIONS = [
  ['volume.beta.kubernetes.io/storage-class', 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ['volume.beta.kubernetes.io/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
] as const;

const SOURCES = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

const RECYCLE =
  'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';

const TERMS = FieldPath.of('spec', 'nodeAffinity', 'required', 'nodeSelectorTerms');

/** Upstream's GetWarningsForPersistentVolume. */
export function volumeWarnings({ metadata, spec }: PersistentVolume): string[] {
  return [
    ...ANNOTATIONS.filter(([key]) => ownField(metadata.annotations, key) !== undefined).map(
      ([key, why]) => `metadata.annotations[${key}]: ${why}`,
    ),
    ...((spec.persistentVolumeReclaimPolicy ?? '') === 'Recycle'
      ? [`spec.persistentVolumeReclaimPolicy: ${RECYCLE}`]
      : []),
    ...(spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap((term, i) =>
      expressionWarnings(term, TERMS.index(i)),
    ),
    ...SOURCES.filter(([field]) => spec[field] !== undefined).map(([, shown, why]) => `spec.${shown}: ${why}`),
  ];
}
