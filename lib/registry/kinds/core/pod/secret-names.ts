import type { JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { containersOf } from './validation/visit.ts';

/** Volume sources that carry a `secretRef` to a secret of the pod's namespace. */
const VOLUMES_WITH_SECRET = ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'];

/** Every secret that a pod reads, by name. */
export function secretNames(spec: JsonObject): string[] {
  return [
    ...items(spec, 'imagePullSecrets').map((reference) => text(reference, 'name')),
    ...containersOf(spec).flatMap(containerSecrets),
    ...items(spec, 'volumes').flatMap(volumeSecrets),
  ].filter((name) => name !== '');
}

function containerSecrets(container: JsonObject): string[] {
  return [
    ...items(container, 'env').map((env) => text(at(env, 'valueFrom', 'secretKeyRef'), 'name')),
    ...items(container, 'envFrom').map((source) => text(at(source, 'secretRef'), 'name')),
  ];
}

function volumeSecrets(volume: JsonObject): string[] {
  return [
    text(at(volume, 'secret'), 'secretName'),
    text(at(volume, 'azureFile'), 'secretName'),
    text(at(volume, 'csi', 'nodePublishSecretRef'), 'name'),
    ...items(at(volume, 'projected'), 'sources').map((source) => text(at(source, 'secret'), 'name')),
    ...VOLUMES_WITH_SECRET.map((field) => text(at(volume, field, 'secretRef'), 'name')),
  ];
}
