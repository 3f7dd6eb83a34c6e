import type { PersistentVolume, Pod, PodSpec, Volume } from '#lib/api/types/core.v1.ts';
import { isMirrorPod } from '#lib/helpers/component-helpers/pod/mirror.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { secretNames } from '#lib/server/registry/kinds/core/pod/secret-names.ts';

/** Namespaced kinds that a node may read if one of its pods refers to them. */
export type Referenced = 'secrets' | 'configmaps' | 'persistentvolumeclaims' | 'resourceclaims' | 'serviceaccounts';

/** The names of that kind, in the pod's namespace, to which the pod refers. Empty for a mirror pod, because the node itself created it. */
export function namesIn(pod: Pod, kind: Referenced): string[] {
  if (isMirrorPod(pod)) return [];
  return NAMES[kind](pod).filter((name) => name !== '');
}

const NAMES: Readonly<Record<Referenced, (pod: Pod) => string[]>> = {
  secrets: ({ spec }) => secretNames(spec),
  configmaps: ({ spec }) => configMapNames(spec),
  persistentvolumeclaims: (pod) => (pod.spec.volumes ?? []).map((volume) => claimName(pod, volume)),
  resourceclaims: (pod) => resourceClaimNames(pod),
  serviceaccounts: ({ spec }) => [spec.serviceAccountName ?? ''],
};

function configMapNames({ initContainers, containers, ephemeralContainers, volumes }: PodSpec): string[] {
  const all = [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])];
  const references = [
    ...all.flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom?.configMapKeyRef)),
    ...all.flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef)),
    ...(volumes ?? []).flatMap((volume) => [
      volume.configMap,
      ...(volume.projected?.sources ?? []).map(({ configMap }) => configMap),
    ]),
  ];
  return references.map((reference) => reference?.name ?? '');
}

/** The claim that the volume names, or that its ephemeral template creates. */
function claimName(pod: Pod, { name, ephemeral, persistentVolumeClaim }: Volume): string {
  return ephemeral === undefined ? (persistentVolumeClaim?.claimName ?? '') : `${nameOf(pod)}-${name}`;
}

function resourceClaimNames({ spec, status }: Pod): string[] {
  const made = new Map(
    (status.resourceClaimStatuses ?? []).map(({ name, resourceClaimName = '' }) => [name, resourceClaimName]),
  );
  return [
    ...(spec.resourceClaims ?? []).map(({ name, resourceClaimName }) => resourceClaimName || (made.get(name) ?? '')),
    status.extendedResourceClaimStatus?.resourceClaimName ?? '',
  ];
}

/** Whether a node that mounts the volume needs the secret. Excludes the secrets of CSI controllers. */
export function volumeNeedsSecret({ spec }: PersistentVolume, namespace: string, name: string): boolean {
  const { azureFile, cephfs, flexVolume, rbd, scaleIO, iscsi, cinder, storageos, csi } = spec;
  const home = spec.claimRef?.namespace ?? '';
  const inHome = [cephfs, flexVolume, rbd, scaleIO, iscsi].map((source) => source?.secretRef);
  const placed = [
    cinder?.secretRef,
    storageos?.secretRef,
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
    csi?.nodeExpandSecretRef,
  ];
  const references = [
    { name: azureFile?.secretName, namespace: azureFile?.secretNamespace || home },
    ...inHome.map((reference) => ({ name: reference?.name, namespace: reference?.namespace || home })),
    ...placed.map((reference) => ({ name: reference?.name, namespace: reference?.namespace ?? '' })),
  ];
  return references.some((one) => (one.name ?? '') === name && one.namespace === namespace);
}
