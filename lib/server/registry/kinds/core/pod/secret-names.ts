import type { PodSpec, Volume } from '#lib/api/types/core.v1.ts';
import { type AnyContainer, containersOf } from './validation/visit.ts';

/** Volume sources with a `secretRef` to a secret in the pod's namespace. */
const VOLUMES_WITH_SECRET = ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'] as const;

/** The names of all secrets that a pod reads, including duplicates. */
export function secretNames(spec: PodSpec): string[] {
  return [
    ...(spec.imagePullSecrets ?? []).map((reference) => reference.name),
    ...containersOf(spec).flatMap(containerSecrets),
    ...(spec.volumes ?? []).flatMap(volumeSecrets),
  ].flatMap((name) => (name === undefined || name === '' ? [] : [name]));
}

type Name = string | undefined;

function containerSecrets({ env = [], envFrom = [] }: AnyContainer): Name[] {
  return [
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ...envFrom.map(({ secretRef }) => secretRef?.name),
  ];
}

function volumeSecrets(volume: Volume): Name[] {
  return [
    volume.secret?.secretName,
    volume.azureFile?.secretName,
    volume.csi?.nodePublishSecretRef?.name,
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
    ...VOLUMES_WITH_SECRET.map((field) => volume[field]?.secretRef?.name),
  ];
}
