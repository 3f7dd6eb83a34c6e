import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, controllerOf, isDeleting, labelsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { has, items, text } from '#lib/machinery/unstructured.ts';

/** A volume of a pod that lives and dies with it, and the name of its claim. */
export interface EphemeralVolume {
  readonly name: string;
  readonly claim: string;
  readonly template: JsonObject;
}

/** Those of a pod that is not to end. */
export function ephemeralVolumes(pod: JsonObject): readonly EphemeralVolume[] {
  if (isDeleting(pod)) return [];
  return items(objectAt(pod, 'spec'), 'volumes')
    .filter((volume) => has(volume, 'ephemeral'))
    .map((volume) => ({
      name: text(volume, 'name'),
      claim: `${nameOf(pod)}-${text(volume, 'name')}`,
      template: objectAt(objectAt(volume, 'ephemeral'), 'volumeClaimTemplate') ?? {},
    }));
}

/** The claim of a volume: the pod's own. */
export function claimFor(pod: JsonObject, { claim, template }: EphemeralVolume): JsonObject {
  const name = nameOf(pod);
  const owner = { apiVersion: 'v1', kind: 'Pod', name, uid: uidOf(pod), controller: true, blockOwnerDeletion: true };
  const metadata = { name: claim, namespace: namespaceOf(pod), ownerReferences: [owner] };
  const given = { labels: { ...labelsOf(template) }, annotations: { ...annotationsOf(template) } };
  return { metadata: { ...metadata, ...given }, spec: objectAt(template, 'spec') ?? {} };
}

/** Why a claim of the right name is not the pod's; undefined where it is. */
export function notOwned(pod: JsonObject, claim: JsonObject): string | undefined {
  if (controllerOf(claim)?.uid === uidOf(pod)) return undefined;
  const place = (object: JsonObject): string => `${namespaceOf(object)}/${nameOf(object)}`;
  return `PVC ${place(claim)} was not created for pod ${place(pod)} (pod is not owner)`;
}
