import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, has, items, text } from '#lib/machinery/unstructured.ts';
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
export function volumeWarnings(volume: JsonObject): string[] {
  const annotations = at(volume, 'metadata', 'annotations');
  const spec = objectAt(volume, 'spec');
  return [
    ...ANNOTATIONS.filter(([key]) => has(annotations, key)).map(([key, why]) => `metadata.annotations[${key}]: ${why}`),
    ...(text(spec, 'persistentVolumeReclaimPolicy') === 'Recycle'
      ? [`spec.persistentVolumeReclaimPolicy: ${RECYCLE}`]
      : []),
    ...items(at(spec, 'nodeAffinity', 'required'), 'nodeSelectorTerms').flatMap((term, i) =>
      expressionWarnings(term, TERMS.index(i)),
    ),
    ...SOURCES.filter(([field]) => has(spec, field)).map(([, shown, why]) => `spec.${shown}: ${why}`),
  ];
}
