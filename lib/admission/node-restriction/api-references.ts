import type { JsonObject } from '#lib/machinery/json-value.ts';
import { at, has, items, text } from '#lib/machinery/unstructured.ts';
import { secretNames } from '#lib/registry/kinds/core/pod/secret-names.ts';

/** Volumes that need no object of the API. */
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
];
const VOLUMES: readonly [string, string][] = [
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
];
const SOURCES: readonly [string, string][] = [
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
];

/** The resource that a pod needs to read; undefined where it needs none. */
export function apiReference(spec: JsonObject): string | undefined {
  if (text(spec, 'serviceAccountName') !== '') return 'serviceaccounts';
  if (secretNames(spec).length > 0) return 'secrets';
  if (readsConfigMap(spec)) return 'configmaps';
  if (items(spec, 'resourceClaims').length > 0) return 'resourceclaims';
  return items(spec, 'volumes')
    .map(ofVolume)
    .find((found) => found !== undefined);
}

function ofVolume(volume: JsonObject): string | undefined {
  if (BARE.some((field) => has(volume, field))) return undefined;
  const known = VOLUMES.find(([field]) => has(volume, field));
  if (known !== undefined) return known[1];
  const sources = items(at(volume, 'projected'), 'sources');
  return sources.map((source) => SOURCES.find(([field]) => has(source, field))?.[1]).find((one) => one !== undefined);
}

function readsConfigMap(spec: JsonObject): boolean {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => items(spec, list));
  const volumes = items(spec, 'volumes').flatMap((volume) => [volume, ...items(at(volume, 'projected'), 'sources')]);
  return [
    ...containers.flatMap((one) => items(one, 'envFrom')).map((source) => text(at(source, 'configMapRef'), 'name')),
    ...containers
      .flatMap((one) => items(one, 'env'))
      .map((env) => text(at(env, 'valueFrom', 'configMapKeyRef'), 'name')),
    ...volumes.map((source) => text(at(source, 'configMap'), 'name')),
  ].some((name) => name !== '');
}
