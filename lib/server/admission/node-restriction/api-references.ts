import type { PodSpec, Volume, VolumeProjection } from '#lib/api/types/core.v1.ts';
import { secretNames } from '#lib/server/registry/kinds/core/pod/secret-names.ts';

/** Volume types that refer to no API object. */
const BARE = [
  'awsElasticBlockStore',
  'azureDisk',
  'cephfs',
  'cinder',
  'downwardAPI',
  'emptyDir',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'hostPath',
  'image',
  'iscsi',
  'nfs',
  'photonPersistentDisk',
  'portworxVolume',
  'quobyte',
  'rbd',
  'scaleIO',
  'storageos',
  'vsphereVolume',
] as const satisfies readonly (keyof Volume)[];
const VOLUMES: readonly [keyof Volume, string][] = [
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
];
const SOURCES: readonly [keyof VolumeProjection, string][] = [
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
];

/** Returns the first API resource to which the pod refers. Undefined if there is none. */
export function apiReference(spec: PodSpec): string | undefined {
  if ((spec.serviceAccountName ?? '') !== '') return 'serviceaccounts';
  if (secretNames(spec).length > 0) return 'secrets';
  if (readsConfigMap(spec)) return 'configmaps';
  if ((spec.resourceClaims ?? []).length > 0) return 'resourceclaims';
  return (spec.volumes ?? []).map(ofVolume).find((found) => found !== undefined);
}

function ofVolume(volume: Volume): string | undefined {
  if (BARE.some((field) => volume[field] !== undefined)) return undefined;
  const known = VOLUMES.find(([field]) => volume[field] !== undefined);
  if (known !== undefined) return known[1];
  const sources = volume.projected?.sources ?? [];
  return sources
    .map((source) => SOURCES.find(([field]) => source[field] !== undefined)?.[1])
    .find((one) => one !== undefined);
}

function readsConfigMap({ initContainers, containers, ephemeralContainers, volumes }: PodSpec): boolean {
  const all = [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])];
  const sources = (volumes ?? []).flatMap((volume) => [volume, ...(volume.projected?.sources ?? [])]);
  return [
    ...all.flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef)),
    ...all.flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom?.configMapKeyRef)),
    ...sources.map(({ configMap }) => configMap),
  ].some((reference) => (reference?.name ?? '') !== '');
}
