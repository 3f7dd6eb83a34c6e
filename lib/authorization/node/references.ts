import { typedPart } from '#lib/api/typed.ts';
import { secretNames } from '#lib/registry/kinds/core/pod/secret-names.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';

/** Kinds of a namespace that a node may read because a pod on it refers to them. */
export type Referenced = 'secrets' | 'configmaps' | 'persistentvolumeclaims' | 'resourceclaims' | 'serviceaccounts';

const MIRROR = 'kubernetes.io/config.mirror';
const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];

/** The names of that kind that the pod refers to, in its namespace. One that a node made of itself gives access to nothing. */
export function namesIn(pod: JsonObject, kind: Referenced): string[] {
  if (Object.hasOwn(annotationsOf(pod), MIRROR)) return [];
  return NAMES[kind](pod, at(pod, 'spec') ?? {}).filter((name) => name !== '');
}

const NAMES: Readonly<Record<Referenced, (pod: JsonObject, spec: JsonObject) => string[]>> = {
  secrets: (_, spec) => secretNames(typedPart(spec)),
  configmaps: (_, spec) => configMapNames(spec),
  persistentvolumeclaims: (pod, spec) => items(spec, 'volumes').map((volume) => claimName(pod, volume)),
  resourceclaims: (pod, spec) => resourceClaimNames(spec, at(pod, 'status')),
  serviceaccounts: (_, spec) => [text(spec, 'serviceAccountName')],
};

function configMapNames(spec: JsonObject): string[] {
  const containers = CONTAINERS.flatMap((field) => items(spec, field));
  return [
    ...containers.flatMap((one) =>
      items(one, 'env').map((env) => text(at(env, 'valueFrom', 'configMapKeyRef'), 'name')),
    ),
    ...containers.flatMap((one) => items(one, 'envFrom').map((source) => text(at(source, 'configMapRef'), 'name'))),
    ...items(spec, 'volumes').flatMap((volume) => [
      text(at(volume, 'configMap'), 'name'),
      ...items(at(volume, 'projected'), 'sources').map((source) => text(at(source, 'configMap'), 'name')),
    ]),
  ];
}

/** The claim that the volume names, or that is made of it. */
function claimName(pod: JsonObject, volume: JsonObject): string {
  if (at(volume, 'ephemeral') !== undefined) return `${nameOf(pod)}-${text(volume, 'name')}`;
  return text(at(volume, 'persistentVolumeClaim'), 'claimName');
}

function resourceClaimNames(spec: JsonObject, status: JsonObject | undefined): string[] {
  const made = new Map(
    items(status, 'resourceClaimStatuses').map((one) => [text(one, 'name'), text(one, 'resourceClaimName')]),
  );
  return [
    ...items(spec, 'resourceClaims').map(
      (claim) => text(claim, 'resourceClaimName') || (made.get(text(claim, 'name')) ?? ''),
    ),
    text(at(status, 'extendedResourceClaimStatus'), 'resourceClaimName'),
  ];
}

/** Fields of a volume with a reference to a secret, in the claim's namespace where it names none. */
const WITH_SECRET: readonly (readonly [source: string, field: string])[] = [
  ['cephfs', 'secretRef'],
  ['flexVolume', 'secretRef'],
  ['rbd', 'secretRef'],
  ['scaleIO', 'secretRef'],
  ['iscsi', 'secretRef'],
];
/** The same, but that name their namespace. Those of CSI's controllers are not for nodes. */
const WITH_PLACED_SECRET: typeof WITH_SECRET = [
  ['cinder', 'secretRef'],
  ['storageos', 'secretRef'],
  ['csi', 'nodePublishSecretRef'],
  ['csi', 'nodeStageSecretRef'],
  ['csi', 'nodeExpandSecretRef'],
];

/** Whether the node that mounts the volume needs the secret for it. */
export function volumeNeedsSecret(volume: JsonObject, namespace: string, name: string): boolean {
  const spec = at(volume, 'spec');
  const home = text(at(spec, 'claimRef'), 'namespace');
  const azure = at(spec, 'azureFile');
  const references = [
    { name: text(azure, 'secretName'), namespace: text(azure, 'secretNamespace') || home },
    ...WITH_SECRET.map(([source, field]) => secretOf(at(spec, source, field), home)),
    ...WITH_PLACED_SECRET.map(([source, field]) => secretOf(at(spec, source, field), '')),
  ];
  return references.some((one) => one.name === name && one.namespace === namespace);
}

const secretOf = (reference: JsonObject | undefined, home: string): { name: string; namespace: string } => ({
  name: text(reference, 'name'),
  namespace: text(reference, 'namespace') || home,
});
