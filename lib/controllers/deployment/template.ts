import type { Deployment, ReplicaSet } from '#lib/api/types/apps.v1.ts';
import type { PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { semanticEqual } from '#lib/server/registry/kinds/shared/semantic.ts';

/** The label that distinguishes the pods of one revision from those of another. */
export const HASH_LABEL = 'pod-template-hash';

/** The template without its hash label, as in a deployment. */
export function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const copy = clone(template);
  const { labels } = copy.metadata;
  if (labels !== undefined) delete labels[HASH_LABEL];
  return copy;
}

/** Whether both have the same template, ignoring the hash label. */
export const sameTemplate = (a: Deployment | ReplicaSet, b: Deployment | ReplicaSet): boolean =>
  semanticEqual(withoutHash(a.spec.template), withoutHash(b.spec.template));

/** Metadata with the hash label. */
export const plusLabel = (metadata: ObjectMeta, hash: string): ObjectMeta & { labels: Record<string, string> } => ({
  ...metadata,
  labels: { ...metadata.labels, [HASH_LABEL]: hash },
});
