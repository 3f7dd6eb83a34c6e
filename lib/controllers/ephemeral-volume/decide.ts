import { ephemeralClaimName, volumesOf } from '#lib/component-helpers/storage/ephemeral/pod-claims.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, isDeleting, labelsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { has, text } from '#lib/machinery/unstructured.ts';

/** A volume of a pod that lives and dies with it, and the name of its claim. */
export interface EphemeralVolume {
  readonly name: string;
  readonly claim: string;
  readonly template: JsonObject;
}

/** Those of a pod that is not to end. */
export function ephemeralVolumes(pod: JsonObject): readonly EphemeralVolume[] {
  if (isDeleting(pod)) return [];
  return volumesOf(pod)
    .filter((volume) => has(volume, 'ephemeral'))
    .map((volume) => ({
      name: text(volume, 'name'),
      claim: ephemeralClaimName(pod, volume),
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
