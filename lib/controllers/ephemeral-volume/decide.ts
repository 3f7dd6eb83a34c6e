import type { PersistentVolumeClaimTemplate, Pod } from '#lib/api/types/core.v1.ts';
import { ephemeralClaimName, volumesOf } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, isDeleting, labelsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';

/** An ephemeral volume, which has the lifetime of its pod, and the name of its claim. */
export interface EphemeralVolume {
  readonly name: string;
  readonly claim: string;
  readonly template: PersistentVolumeClaimTemplate | undefined;
}

/** The ephemeral volumes of a pod. Empty if the pod is being deleted. */
export function ephemeralVolumes(pod: Pod): readonly EphemeralVolume[] {
  if (isDeleting(pod)) return [];
  return volumesOf(pod).flatMap((volume) => {
    const { name, ephemeral } = volume;
    const claim = ephemeralClaimName(pod, volume);
    return ephemeral === undefined ? [] : [{ name, claim, template: ephemeral.volumeClaimTemplate }];
  });
}

/** The claim of a volume, owned by the pod. */
export function claimFor(pod: Pod, { claim, template }: EphemeralVolume): JsonObject {
  const name = nameOf(pod);
  const owner = { apiVersion: 'v1', kind: 'Pod', name, uid: uidOf(pod), controller: true, blockOwnerDeletion: true };
  const metadata = { name: claim, namespace: namespaceOf(pod), ownerReferences: [owner] };
  const given = { labels: { ...labelsOf(template ?? {}) }, annotations: { ...annotationsOf(template ?? {}) } };
  return { metadata: { ...metadata, ...given }, spec: template?.spec ?? {} };
}
